"""State extraction: what small conversations establish, and what they do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.extract import extract
from harness.types import FileRole, Rule, State


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def call(name: str, result: str = "ok", **args: Any) -> list[dict[str, Any]]:
    """A tool call of the assistant and its result."""
    ident = f"c-{name}-{abs(hash(json.dumps(args, sort_keys=True)))}"
    function = {"name": name, "arguments": json.dumps(args, ensure_ascii=False)}
    return [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": ident, "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": ident, "content": result},
    ]


def plan(*items: tuple[str, str]) -> list[dict[str, Any]]:
    return call("update_plan", items=[{"text": t, "status": s} for t, s in items])


def rules(messages: list[dict[str, Any]]) -> dict[str, str]:
    return {r.text: r.polarity for r in extract(messages).constraints}


def polarity_of(messages: list[dict[str, Any]], *words: str) -> set[str]:
    """Polarities of the rules that hold all the words."""
    return {p for t, p in rules(messages).items() if all(w in t for w in words)}


def roles(messages: list[dict[str, Any]]) -> dict[str, str]:
    return {f.path: f.role for f in extract(messages).files}


OPENING_EN = "Please fix the rounding in shop/price.py."
OPENING_ZH = "帮我修一下 shop/price.py 的取整问题。"


@pytest.mark.parametrize(
    ("text", "word", "polarity"),
    [
        ("All amounts must stay integers.", "amounts", "must"),
        ("Always round half to even.", "half", "must"),
        ("Never import decimal in the hot path.", "decimal", "must_not"),
        ("Don't reformat unrelated lines.", "unrelated", "must_not"),
        ("Never print the key, ok?", "key", "must_not"),
        ("No new dependencies, please.", "dependencies", "must_not"),
        ("At most 4 digits after the point.", "4", "must"),
        ("I'd rather you didn't rename public functions.", "public", "must_not"),
        ("Errors go to stderr.", "stderr", "must"),
        ("The schema file isn't ours to change.", "schema", "must_not"),
        ("Ask me before each commit.", "commit", "must"),
        ("金额一律用整数。", "整数", "must"),
        ("千万别动公共接口。", "公共接口", "must_not"),
        ("日志里不允许出现卡号。", "卡号", "must_not"),
        ("每批最多 50 条。", "50", "must"),
        ("提交之前先让我看一眼。", "提交", "must"),
        ("legacy 目录能不碰就不碰。", "legacy", "must_not"),
        ("这个 helper must stay private。", "private", "must"),
    ],
)
def test_rule_and_polarity(text: str, word: str, polarity: str) -> None:
    opening = OPENING_EN if text.isascii() else OPENING_ZH
    assert polarity_of([user(opening), user(text)], word) == {polarity}


def test_one_sentence_with_two_polarities_gives_two_rules() -> None:
    found = rules([user("Tests go through tox, don't call unittest directly.")])
    assert found == {
        "Tests go through tox": "must",
        "don't call unittest directly.": "must_not",
    }
    assert rules([user("包管理一律用 uv，禁止 pip install。")]) == {
        "包管理一律用 uv": "must",
        "禁止 pip install。": "must_not",
    }


def test_items_of_a_list_of_rules_need_no_cue() -> None:
    text = "Tidy the exporter.\nHouse rules:\n- British spelling\n- Python 3.8\n"
    assert set(rules([user(text)])) >= {"British spelling", "Python 3.8"}


@pytest.mark.parametrize(
    "text",
    [
        "Should we forbid recursion here?",
        "Is it true that we must never nest locks?",
        "If we ever moved to the cloud, every path would have to be relative.",
        'An old blog says "you must always vendor everything", which does not apply to us.',
        "Someone on the forum wrote that one should never use threads.",
        "I was going to ask for type stubs everywhere, but it can wait.",
        "> Never edit this file by hand.",
        "```\n# you must never call this twice\n```",
        "是不是应该禁止递归？",
        "如果以后要上云，路径就必须全改成相对的。",
        "前任的文档里写着「必须手动备份」，早就过时了。",
        "网上有人说一定要用微服务。",
    ],
)
def test_questions_hypotheses_and_quotations_are_no_rules(text: str) -> None:
    opening = OPENING_EN if text.isascii() else OPENING_ZH
    assert rules([user(opening), user(text)]) == rules([user(opening)])


def test_thought_withdrawn_in_the_next_sentence_is_no_rule() -> None:
    assert "shard" not in " ".join(rules([user("Every table must be sharded. Just kidding.")]))
    assert rules([user("要是多机部署，锁必须换掉。不过目前是单机。")]) == {}


def test_tool_output_and_the_assistant_make_no_rules() -> None:
    messages = [
        user(OPENING_EN),
        *call(
            "read_file", "# NEVER edit below this line\n# you must run gen.sh", path="shop/price.py"
        ),
        *call("run", "hint: always pass --strict", command="lint"),
        says("I suggest that we must rename everything."),
    ]
    assert rules(messages) == rules([user(OPENING_EN)])
    assert "gen.sh" not in " ".join(extract(messages).environment)


def test_answer_to_ask_user_is_the_users_word() -> None:
    answer = call("ask_user", "Never more than 3 retries.", question="How many retries?")
    assert polarity_of([user(OPENING_EN), *answer], "3 retries") != set()
    assert polarity_of([user(OPENING_EN), *call("run", "Never more than 3 retries.")], "3") == set()


def test_newest_rule_replaces_the_older_one() -> None:
    messages = [
        user("The timeout must be 30 seconds."),
        user("Make the timeout 45 seconds instead."),
    ]
    text = " ".join(rules(messages))
    assert "45" in text
    assert "30" not in text
    messages = [user("缓存必须保留 10 分钟。"), user("缓存改成保留 20 分钟吧。")]
    text = " ".join(rules(messages))
    assert "20" in text
    assert "10" not in text


def test_withdrawn_rule_is_gone_and_an_unrelated_one_stays() -> None:
    messages = [
        user("Use tabs for indentation. Never touch the changelog."),
        user("Scrap the tabs rule, indentation is four spaces."),
    ]
    text = " ".join(rules(messages))
    assert "Use tabs" not in text
    assert "four spaces" in text
    assert "changelog" in text
    messages = [user("文件名必须用拼音。"), user("文件名那条收回。")]
    assert "拼音" not in " ".join(rules(messages))


def test_hold_is_lifted_by_go_ahead() -> None:
    messages = [user("先不要改代码，看看就行。")]
    assert polarity_of(messages, "先不要改") == {"must_not"}
    assert polarity_of([*messages, user("可以动手了。")], "先不要改") == set()


def test_file_roles() -> None:
    messages = [
        user("Fix app/core.py and app/view.py. Don't touch app/schema.py, it is generated."),
        *call("read_file", "x = 1", path="app/notes.txt"),
        *call("edit_file", "edited", path="./app/core.py", old="a", new="b"),
        *call("edit_file", "error: no such text", path="app/other.py", old="a", new="b"),
    ]
    assert roles(messages) == {
        "app/core.py": "changed",
        "app/view.py": "to_change",
        "app/schema.py": "read_only",
        "app/notes.txt": "read_only",
    }


def test_bare_name_stands_for_the_known_path_and_other_tools_are_understood() -> None:
    messages = [
        user("把 core.py 拆开，utils.py 别动。"),
        *call("str_replace_editor", "done", file_path="app/core.py", new_str="x"),
        *call("view", "...", filename="app/utils.py"),
    ]
    assert roles(messages) == {"app/core.py": "changed", "app/utils.py": "read_only"}


def test_file_of_a_dropped_plan_step_or_refused_offer_is_not_to_change() -> None:
    messages = [
        user("Speed up the loader."),
        *plan(("profile app/load.py", "doing"), ("rewrite app/old.py", "todo")),
        *plan(("profile app/load.py", "doing")),
        says("Next I will rename app/extra.py."),
        user("No, leave that."),
    ]
    found = roles(messages)
    assert found["app/load.py"] == "to_change"
    assert "app/old.py" not in found
    assert found.get("app/extra.py") != "to_change"


def test_latest_plan_wins() -> None:
    messages = [
        user("Add an export."),
        *plan(("write exporter", "doing"), ("add tests", "todo"), ("web page", "todo")),
        *plan(("write exporter", "done"), ("add tests", "doing"), ("changelog", "todo")),
    ]
    state = extract(messages)
    assert state.open == ("add tests", "changelog")
    assert state.done == ("write exporter",)


def test_numbered_request_without_a_plan() -> None:
    messages = [
        user("Two things: (1) sort the index, (2) drop the cache."),
        *call("edit_file", "edited", path="idx.py", old="a", new="b"),
        says("The index is sorted now. Next is (2)."),
    ]
    state = extract(messages)
    assert any("drop the cache" in t for t in state.open)
    assert not any("sort the index" in t for t in state.open)
    assert any("sort" in t for t in state.done)


def test_progress_from_what_the_assistant_says() -> None:
    messages = [
        user("给导入加上重试。"),
        *call("edit_file", "edited", path="io/load.py", old="a", new="b"),
        says("重试已经加好了，接下来补超时的用例。"),
    ]
    state = extract(messages)
    assert any("重试" in t for t in state.done)
    assert len(state.open) == 1
    assert "超时" in state.open[0]


@pytest.mark.parametrize("wrote", [False, True])
@pytest.mark.parametrize(
    "told",
    [
        "The edit of the total (shop/total.py) was refused; it remains open.",
        "The patch to shop/total.py was rejected.",
        "The patch was rejected, so shop/total.py is unchanged.",
        "My edit of shop/total.py didn't apply.",
        "The write to shop/total.py has been denied by the sandbox.",
        "Now the tool refused the edit of shop/total.py.",
        "The rename in shop/total.py was aborted half-way.",
        "改动被退回：合计（shop/total.py），待处理。",
        "对 shop/total.py 的修改被拒绝了；它还没做。",
        "shop/total.py 的补丁被驳回了。",
        "对 shop/total.py 的写入被拦下来了。",
        "shop/total.py 的改动没能应用。",
        "合计（shop/total.py）的补丁被工具拒绝，仍待处理。",
    ],
)
def test_a_refused_edit_is_not_done(told: str, wrote: bool) -> None:
    for request in (
        "Two things: (1) fix the total in shop/total.py, (2) add a test.",
        "两件事：（1）修好 shop/total.py 的合计，（2）补一个测试。",
    ):
        written = call("edit_file", "edited", path="shop/price.py", old="a", new="b")
        messages = [
            user(request),
            *(written if wrote else []),
            *call("edit_file", "error: not there", path="shop/total.py", old="a", new="b"),
            says(told),
        ]
        state = extract(messages)
        assert state.done == ()
        assert any("shop/total.py" in text for text in state.open)


def test_a_step_of_the_plan_whose_edit_was_refused_is_open_again() -> None:
    steps = ("round the total", "add a test")
    messages = [
        user("Work through shop/total.py."),
        *plan(*((step, "todo") for step in steps)),
        says("Working on: round the total."),
        *call("edit_file", "edited", path="shop/total.py", old="a", new="b"),
        says("The edit was refused by the checker."),
    ]
    assert extract(messages).open == steps


@pytest.mark.parametrize(
    "told",
    [
        "Empty names are rejected now.",
        "Requests over the limit are now refused with 429.",
        "已加上校验，空名字会被拒绝。",
    ],
)
def test_what_the_code_refuses_is_work_done(told: str) -> None:
    messages = [
        user("Check the names in shop/names.py. 校验名字。"),
        *call("edit_file", "edited", path="shop/names.py", old="a", new="b"),
        says(told),
    ]
    assert extract(messages).done


PATCH = """*** Begin Patch
*** Update File: shop/total.py
@@
-a = 1
+a = 2
*** Add File: 文档/说明.md
+你好
*** Delete File: shop/old.py
*** Update File: shop/tax.py
*** Move to: shop/levy.py
*** End Patch"""
PATCHED = ["shop/total.py", "文档/说明.md", "shop/old.py", "shop/tax.py", "shop/levy.py"]
DIFF = "--- a/shop/total.py\t2026-01-01\n+++ b/shop/total.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n"
DIFF += "--- /dev/null\n+++ b/文档/说明.md\n@@ -0,0 +1 @@\n+你好\n"
DIFF += "--- a/shop/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n--- no header\n"


@pytest.mark.parametrize(
    ("name", "arguments", "files"),
    [
        ("apply_patch", json.dumps({"input": PATCH}), PATCHED),
        ("apply_patch", PATCH, PATCHED),
        ("apply_patch", json.dumps(PATCH), PATCHED),
        ("patch", json.dumps({"patchText": PATCH}), PATCHED),
        ("shell", json.dumps({"command": ["apply_patch", PATCH]}), PATCHED),
        ("exec_command", json.dumps({"cmd": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}), PATCHED),
        (
            "apply_patch",
            json.dumps({"patch": DIFF}),
            ["shop/total.py", "文档/说明.md", "shop/old.py"],
        ),
    ],
)
def test_files_of_a_patch_are_changed(name: str, arguments: str, files: list[str]) -> None:
    for result, changed in (
        ("Success. Updated the following files:\nM shop/total.py", True),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", True),
        ("Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 0\nOutput:\n", True),
        ("apply_patch verification failed: Failed to find expected lines in shop/total.py", False),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\nInvalid patch", False),
        ("Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 1\nOutput:\n", False),
        ('{"output":"no","metadata":{"exit_code":1,"duration_seconds":0.1}}', False),
        ("sh: 1: apply_patch: not found\nexit code 127\n", False),
        ('{"output": "yes", "metadata": {"exit_code": 0, "duration_seconds": 1}}', True),
    ):
        [asked, told] = call(name, result)
        asked["tool_calls"][0]["function"]["arguments"] = arguments
        found = roles([user("Go on. 继续。"), asked, told])
        assert found == (dict.fromkeys(files, "changed") if changed else {})


def test_a_patch_settles_what_was_announced_for_its_file() -> None:
    messages = [
        user("帮我改两处：（1）修好 shop/total.py 的取整，（2）补一个测试。"),
        says("接下来改 shop/total.py 的取整。"),
        *call("apply_patch", "Success.", input=PATCH),
    ]
    assert any("取整" in text for text in extract(messages).done)


def test_a_text_that_only_quotes_a_patch_changes_nothing() -> None:
    messages = [
        user("Explain patches."),
        says(PATCH),
        *call("run", "", command="git diff -- shop/total.py"),
        *call("run", "", command=f"cat <<'EOF' > notes.txt\n{DIFF}EOF"),
    ]
    assert extract(messages).files == ()


def test_refused_offer_is_not_open() -> None:
    messages = [
        user("Fix the typo in doc.md."),
        *call("edit_file", "edited", path="doc.md", old="a", new="b"),
        says("The typo is fixed. I could also rewrite the intro."),
        user("No, the intro was approved by the editors."),
    ]
    state = extract(messages)
    assert not any("rewrite" in t for t in state.open)
    assert any("intro" in t and "approved" in t for t in state.decisions)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The loader class is called `BulkLoader`.", "BulkLoader"),
        ("Test helpers get the prefix mk_.", "mk_"),
        ("Functions are snake_case.", "snake_case"),
        ("订单号字段叫 order_no。", "order_no"),
        ("常量全大写。", "大写"),
    ],
)
def test_naming(text: str, word: str) -> None:
    assert any(word in t for t in extract([user(text)]).naming)


def test_name_that_the_assistant_gives() -> None:
    messages = [user("加一个脱敏函数。"), says("新函数叫 hide_card，放在 util/mask.py。")]
    assert any("hide_card" in t for t in extract(messages).naming)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The mock server listens on port 9321.", "9321"),
        ("CI runs Node 18.2.", "18.2"),
        ("Run the suite with `make quick`.", "make quick"),
        ("The key lives in ~/.secrets/api.", "~/.secrets/api"),
        ("DATA_ROOT points at the share.", "DATA_ROOT"),
        ("测试库端口是 5544。", "5544"),
        ("目标环境是 Python 3.7。", "3.7"),
    ],
)
def test_environment(text: str, word: str) -> None:
    assert any(word in t for t in extract([user(text)]).environment)


def test_decision_keeps_its_reason() -> None:
    messages = [user("We use SQLite here because the kiosk has no network.")]
    assert extract(messages).decisions == ("We use SQLite here because the kiosk has no network.",)
    messages = [says("方案一：改用消息队列。"), user("不行，现场没有外网。")]
    (decision,) = extract(messages).decisions
    assert "消息队列" in decision
    assert "没有外网" in decision


LIST_EN = """The importer needs some love, piece by piece:

1. feed/reader.py: a bad line should be skipped and must be counted
2. feed/dates.py: the end day has to be included
3. notes.md: one line on both

A few things to keep in mind.
The feed is read by an old device, so rows never exceed 60 characters.
Every helper you add ends in _feed.
"""
LIST_ZH = """把下面几处毛病依次修掉。

清单：
1. T-11：`yun/sum.py` 的合计应当四舍五入，空表要返回零。
2. T-12：`yun/day.py` 里跨月的那天不该算两次。
3. `notes.md` 里补一行说明。

有几点先说清楚。
合计只用整数，别引入浮点。
"""


@pytest.mark.parametrize(
    ("text", "steps", "count"),
    [(LIST_EN, ("bad line", "end day", "one line"), 2), (LIST_ZH, ("合计", "跨月", "一行"), 2)],
)
def test_items_of_a_list_of_work_are_open_and_no_rules(
    text: str, steps: tuple[str, ...], count: int
) -> None:
    state = extract([user(text)])
    assert len(state.open) == len(steps)
    assert all(word in step for word, step in zip(steps, state.open, strict=True))
    assert len(state.constraints) == count
    assert not any(word in r.text for word in ("line", "day", "T-1") for r in state.constraints)
    assert state.done == ()


def test_a_list_of_rules_without_a_heading_gives_rules() -> None:
    text = "Tidy up the parser.\n- never log tokens\n- all dates must be UTC\n- don't add globals\n"
    found = rules([user(text)])
    assert set(found.values()) == {"must", "must_not"}
    assert len(found) == 3
    assert len(extract([user(text)]).open) == 1


def test_a_prohibition_among_the_steps_is_a_rule_and_no_step() -> None:
    text = "Steps:\n1. move the loader\n2. do not touch the cache\n3. keep the API\n4. write docs\n"
    state = extract([user(text)])
    assert [r.polarity for r in state.constraints] == ["must_not", "must"]
    assert len(state.open) == 2


def test_prohibition_that_heads_a_list_holds_for_the_list() -> None:
    for text in (
        "Keep out of these:\n- a/b.py\n- c/d.py\n",
        "下面这些别动：\n- a/b.py\n- c/d.py\n",
    ):
        messages = [user("Fix e/f.py."), user(text)]
        assert [r.polarity for r in extract(messages).constraints] == ["must_not"]
        assert roles(messages)["a/b.py"] == roles(messages)["c/d.py"] == "read_only"


@pytest.mark.parametrize(
    "text",
    [
        "Some ground rules first.",
        "Please take them one after the other, in this order:",
        "Nice work so far.",
        "Sorry, I was away over lunch.",
        "The old device is slow and drops lines now and then.",
        "One of the testers called about memory.",
        "有几件事先讲明白。",
        "干得不错，继续吧。",
        "昨天测试组来过电话。",
        "这个模块是前年写的。",
    ],
)
def test_announcements_chat_and_descriptions_are_no_rules(text: str) -> None:
    opening = OPENING_EN if text.isascii() else OPENING_ZH
    assert rules([user(opening), says("ok"), user(text)]) == {}


PLAN_EN = (("the loader (io/load.py)", "done"), ("the saver (io/save.py)", "todo"))


def test_plan_has_the_last_word_on_its_items() -> None:
    messages = [
        user("Please go on:\n- io/load.py: the loader\n- io/save.py: the saver\n"),
        says("Next: the loader (io/load.py)."),
        *call("edit_file", "edited", path="io/load.py", old="a", new="b"),
        says("Done: the loader (io/load.py)."),
        *plan(*PLAN_EN),
        says("Next: the saver (io/save.py)."),
        *call("read_file", "x = 1", path="io/save.py"),
    ]
    state = extract(messages)
    assert state.done == ("the loader (io/load.py)",)
    assert state.open == ("the saver (io/save.py)",)


@pytest.mark.parametrize(
    ("announced", "said"),
    [
        ("Working on the saver (io/save.py).", "Done: the saver (io/save.py)."),
        ("正在处理 the saver（io/save.py）。", "已完成：the saver（io/save.py）。"),
    ],
)
def test_step_is_done_after_the_last_plan(announced: str, said: str) -> None:
    before = [user("Go on."), *plan(*PLAN_EN), says(announced)]
    edit = call("edit_file", "edited", path="io/save.py", old="a", new="b")
    failed = call("edit_file", "error: no such text", path="io/save.py", old="a", new="b")
    elsewhere = call("edit_file", "edited", path="io/load.py", old="a", new="b")
    for messages, is_open in (
        (before, True),
        ([*before, *failed], True),
        ([*before, *elsewhere], True),
        ([*before, *edit], False),
        ([*before, *edit, says("The saver is not finished yet.")], True),
        ([*before, says(said)], False),
    ):
        state = extract(messages)
        assert ("the saver (io/save.py)" in state.open) is is_open
        assert ("the saver (io/save.py)" in state.done) is not is_open


def test_done_of_one_item_leaves_the_others_of_the_list_open() -> None:
    messages = [
        user("Two fixes:\n- lib/tax.py: the tax of a line\n- lib/fee.py: the fee of a line\n"),
        *call("edit_file", "edited", path="lib/tax.py", old="a", new="b"),
        says("Done: the tax of a line (lib/tax.py)."),
    ]
    state = extract(messages)
    assert len(state.open) == 1
    assert "lib/fee.py" in state.open[0]
    assert not any("fee" in text for text in state.done)


def test_done_of_one_item_is_not_taken_for_a_similar_one() -> None:
    messages = [
        user("Two fixes:\n- the tax of a line\n- the fee of a line\n"),
        says("Done: the tax of a line."),
    ]
    assert extract(messages).open == ("the fee of a line",)


def test_request_is_never_done_itself() -> None:
    messages = [
        user("Please make the clock monotonic in sys/clock.py."),
        *call("edit_file", "edited", path="sys/clock.py", old="a", new="b"),
        says("The clock is monotonic now."),
    ]
    state = extract(messages)
    assert state.open == ()
    assert state.done == ("The clock is monotonic now.",)


@pytest.mark.parametrize(
    "text",
    [
        "Please leave a/one.py, b/two.py and tests/three.py alone.",
        "a/one.py, b/two.py and tests/three.py are the other team's, so don't touch them.",
        "a/one.py、b/two.py 和 tests/three.py 都别动。",
    ],
)
def test_prohibition_holds_for_all_files_of_an_enumeration(text: str) -> None:
    assert roles([user("Speed up a/four.py."), user(text)]) == {
        "a/four.py": "to_change",
        "a/one.py": "read_only",
        "b/two.py": "read_only",
        "tests/three.py": "read_only",
    }


def test_one_entry_for_a_file_however_it_is_called() -> None:
    messages = [
        user("Fix lib/zone.py and write a line into CHANGELOG.md."),
        *plan(("zone.py (lib/zone.py)", "doing"), ("the CHANGELOG line (CHANGELOG.md)", "todo")),
        *call("edit_file", "edited", path="lib/zone.py", old="a", new="b"),
    ]
    assert roles(messages) == {"lib/zone.py": "changed", "CHANGELOG.md": "to_change"}


def test_last_file_named_is_not_banned_by_a_later_rule_about_folders() -> None:
    text = "Extend gui/menu.py.\nThe folder `attic/` is history, so don't change it.\n"
    assert roles([user(text)]) == {"gui/menu.py": "to_change"}


def test_last_file_of_a_list_is_not_banned_by_a_rule_after_it() -> None:
    text = (
        "- gui/menu.py: an entry\n- gui/bar.py: its icon\n\nThe wording is final, never alter it.\n"
    )
    assert roles([user(text)]) == {"gui/menu.py": "to_change", "gui/bar.py": "to_change"}


def test_of_an_item_of_work_only_the_clause_that_names_is_naming() -> None:
    text = (
        "- a/x.py: the new class Amount\n- 在 b/y.py 里登记一批，名字用 spring-sale，放在最后。\n"
    )
    assert extract([user(text)]).naming == ("名字用 spring-sale",)


def test_naming_and_environment_hold_nothing_else() -> None:
    state = extract([user(LIST_EN), user("Run the checks with FEED_MODE=dry in front.")])
    assert [t for t in state.naming if "_feed" not in t] == []
    assert len(state.naming) == 1
    assert len(state.environment) == 1
    assert "FEED_MODE=dry" in state.environment[0]


def test_decision_is_one_unit_and_the_assistant_makes_some() -> None:
    messages = [
        user("Speed up the index. Keep the old format readable."),
        says("I tried a trie and rejected it, because it triples the memory. Going on."),
        says("试过内存映射，文件一大就报错，这个办法放弃。先看别的。"),
    ]
    assert extract(messages).decisions == (
        "I tried a trie and rejected it, because it triples the memory.",
        "试过内存映射，文件一大就报错，这个办法放弃。",
    )


def test_no_sentence_is_in_more_than_two_kinds() -> None:
    text = "All env vars get the prefix APP_ because APP_HOME on port 8080 broke, never use MY_."
    state = extract([user(OPENING_EN), user(text)])
    kinds = (state.naming, state.environment, state.decisions, state.constraints)
    assert 1 <= sum(bool(kind) for kind in kinds) <= 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The theme folder stays with design, so leave it alone.",
            {"The theme folder stays with design, so leave it alone.": "must_not"},
        ),
        ("Rows go out by id, not by name.", {"Rows go out by id, not by name.": "must"}),
        ("配色归设计组，一个字都别动。", {"配色归设计组，一个字都别动。": "must_not"}),
        (
            "路径一律用 posix 写法，不写成反斜杠。",
            {"路径一律用 posix 写法，不写成反斜杠。": "must"},
        ),
    ],
)
def test_clause_and_sentence_are_one_rule(text: str, expected: dict[str, str]) -> None:
    opening = OPENING_EN if text.isascii() else OPENING_ZH
    assert rules([user(opening), says("ok"), user(text)]) == expected


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("By the way, all ids must stay below 2**53, please.", "all ids must stay below 2**53"),
        (
            "Exports must end with a newline, otherwise the mainframe drops the last row.",
            "Exports must end with a newline",
        ),
        ("对了，导出必须带表头，不然对方读不了。", "导出必须带表头"),
    ],
)
def test_chatter_and_reasons_are_trimmed_from_a_rule(text: str, rule: str) -> None:
    opening = OPENING_EN if text.isascii() else OPENING_ZH
    assert list(rules([user(opening), says("ok"), user(text)])) == [rule]


CARD = """[carried: card]
## Constraints
- MUST: keep the public signature of load()
- MUST NOT: add dependencies
## Files
- app/load.py (changed)
- app/save.py (to_change)
- app/schema.py (read_only)
## Naming
- the class is BulkLoader
## Progress
- [x] write the loader
- [ ] write the saver
## Decisions
- no pickle, because files cross versions
## Environment
- tests: `make quick`
[/carried]"""

CARD_STATE = State(
    constraints=(
        Rule("keep the public signature of load()", "must"),
        Rule("add dependencies", "must_not"),
    ),
    files=(
        FileRole("app/load.py", "changed"),
        FileRole("app/save.py", "to_change"),
        FileRole("app/schema.py", "read_only"),
    ),
    naming=("the class is BulkLoader",),
    open=("write the saver",),
    done=("write the loader",),
    environment=("tests: `make quick`",),
    decisions=("no pickle, because files cross versions",),
)


@pytest.mark.parametrize("role", ["system", "user", "assistant"])
def test_card_round_trip(role: str) -> None:
    assert extract([{"role": role, "content": CARD}]) == CARD_STATE


def test_later_messages_override_the_card() -> None:
    messages = [
        user(CARD + "\nNever write to stdout."),
        *call("write_file", "wrote", path="app/save.py", content="x"),
        *plan(("write the saver", "done"), ("docs", "todo")),
        user("Forget the dependencies rule."),
    ]
    state = extract(messages)
    texts = [r.text for r in state.constraints]
    assert "Never write to stdout." in texts
    assert "add dependencies" not in texts
    assert FileRole("app/save.py", "changed") in state.files
    assert state.open == ("docs",)
    assert state.done == ("write the loader", "write the saver")


def test_revoked_rule_does_not_come_back_from_a_stale_card() -> None:
    messages = [user(CARD), user("Forget the dependencies rule."), user(CARD)]
    assert "add dependencies" not in [r.text for r in extract(messages).constraints]


def test_prose_in_carried_text_is_nobodys_word() -> None:
    text = "[carried: summary]\nThe user said: never use threads.\n- must do x\n[/carried]"
    assert extract([user(text)]) == State()


def test_same_history_same_state_and_input_untouched() -> None:
    messages = [
        user("Fix a/b.py. Never log secrets. 端口 8123。"),
        *plan(("fix a/b.py", "doing"), ("tests", "todo")),
        *call("edit_file", "edited", path="a/b.py", old="1", new="2"),
        says("Fixed. Next: tests in tests/test_b.py."),
    ]
    before = json.dumps(messages)
    assert extract(messages) == extract(messages)
    assert json.dumps(messages) == before


def test_malformed_messages_are_passed_over() -> None:
    bad = {"id": "1", "type": "function", "function": {"name": "edit_file", "arguments": "{"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Never log secrets."}]},
        {"role": "assistant", "content": None, "tool_calls": [bad, {"id": "2"}, "x"]},
        {"role": "tool", "tool_call_id": "9", "content": None},
        {"role": "user", "content": ""},
        *call("update_plan", items=[{"status": "done"}, 7, {"text": "a step"}]),
    ]
    state = extract(messages)
    assert [r.text for r in state.constraints] == ["Never log secrets."]
    assert state.open == ("a step",)


def test_empty_history() -> None:
    assert extract([]) == State()
