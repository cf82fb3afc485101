"""State extraction on what people and agents say in passing: go-aheads, reasons, announcements."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.extract import extract
from harness.types import Message, State
from harness.user import NEUTRAL

OPENING = {
    "role": "user",
    "content": "Please fix the rounding in shop/price.py. Ids stay integers.",
}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def wrote(path: str) -> list[Message]:
    function = {
        "name": "edit_file",
        "arguments": json.dumps({"path": path, "old": "a", "new": "b"}),
    }
    call = {"id": "w", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "w", "content": "edited"},
    ]


GO_AHEADS = [
    *NEUTRAL.values(),
    "Please go on.",
    "Please continue.",
    "Go ahead.",
    "Yes, please proceed.",
    "Carry on, please.",
    "Please keep going.",
    "Continue please",
    "OK, go on with it.",
    "Sounds good, go ahead with the next step.",
    "Please continue with what we agreed.",
    "Please carry on as we discussed.",
    "Continue where you left off.",
    "Thanks. As planned, please resume.",
    "It is up to you, please go on.",
    "Use your own judgement and keep going.",
    "No objections. Please move on.",
    "请继续。",
    "好的，继续吧。",
    "没问题，请接着做。",
    "就按之前说的，接着来。",
    "照原计划继续往下做吧。",
    "按约定的办，继续。",
    "你自己定，继续就行。",
]


@pytest.mark.parametrize("text", GO_AHEADS)
@pytest.mark.parametrize("before", [[], [OPENING], [OPENING, says("Shall I begin?")]])
def test_a_word_to_go_on_establishes_nothing(text: str, before: list[Message]) -> None:
    assert extract([*before, user(text)]) == extract(before)


@pytest.mark.parametrize("text", GO_AHEADS)
def test_nor_does_it_as_an_answer_to_a_question(text: str) -> None:
    function = {"name": "ask_user", "arguments": json.dumps({"question": "May I go on?"})}
    call = {"id": "q", "type": "function", "function": function}
    asked = {"role": "assistant", "content": "", "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "q", "content": text}
    assert extract([OPENING, asked, answer]) == extract([OPENING])


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Please go on with the rounding of refunds.", "refunds"),
        ("As agreed, please continue and add a changelog line.", "changelog"),
        ("Go ahead and rename load() to read().", "rename"),
        ("请继续，把退款的取整也改掉。", "退款"),
        ("按说好的来，接着写迁移脚本。", "迁移脚本"),
    ],
)
def test_a_word_to_go_on_with_something_new_is_a_request(text: str, part: str) -> None:
    assert any(part in step for step in extract([OPENING, user(text)]).open)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Please go on. Never log card numbers.", "card numbers"),
        ("As agreed, every amount must stay an integer.", "integer"),
        ("Keep going, but don't touch the cache.", "cache"),
        ("按说好的来，金额一律用整数。", "整数"),
    ],
)
def test_a_rule_beside_a_word_to_go_on_is_a_rule(text: str, part: str) -> None:
    assert any(part in rule.text for rule in extract([user(text)]).constraints)


RULES_EN = ["Never touch pkg/gen_0.py", "Always call load() under the lock"]
REASONS_EN = [
    "it is generated",
    "the build writes it",
    "the job wrote over it twice",
    "the linter complains",
    "ops warned of leaks",
    "the auditors insisted",
    "the manual tells everyone to",
    "clients said they parse it",
    "we do not own it",
]
RULES_ZH = ["别动 pkg/gen_0.py", "金额一律用整数"]
REASONS_ZH = [
    "它是生成的",
    "构建脚本会写它",
    "文档里写着要用它",
    "客户说过会解析它",
    "审计的人提到过",
]


@pytest.mark.parametrize("reason", REASONS_EN)
@pytest.mark.parametrize("rule", RULES_EN)
@pytest.mark.parametrize(
    "form", ["{rule}, since {reason}.", "{rule} because {reason}.", "Since {reason}, {low}."]
)
def test_a_rule_holds_whatever_its_reason_speaks_of(form: str, rule: str, reason: str) -> None:
    text = form.format(rule=rule, reason=reason, low=rule[0].lower() + rule[1:])
    found = extract([OPENING, says("ok"), user(text)]).constraints
    named = "pkg/gen_0.py" if "gen_0" in rule else "load()"
    polarity = "must_not" if rule.startswith("Never") else "must"
    assert [r.polarity for r in found if named in r.text] == [polarity]


@pytest.mark.parametrize("reason", REASONS_ZH)
@pytest.mark.parametrize("rule", RULES_ZH)
@pytest.mark.parametrize("form", ["{rule}，因为{reason}。", "因为{reason}，{rule}。"])
def test_a_chinese_rule_holds_whatever_its_reason_speaks_of(
    form: str, rule: str, reason: str
) -> None:
    found = extract([OPENING, user(form.format(rule=rule, reason=reason))]).constraints
    assert any(rule in r.text for r in found)


@pytest.mark.parametrize(
    "text",
    [
        "The old wiki says never touch pkg/gen_0.py.",
        "Somebody wrote that pkg/gen_0.py must never be touched, because it is generated.",
        "有人说别动 pkg/gen_0.py，因为它是生成的。",
    ],
)
def test_words_of_others_with_a_reason_are_still_theirs(text: str) -> None:
    assert extract([OPENING, user(text)]).constraints == extract([OPENING]).constraints


LOOKS = [
    "Let me check how the errors are surfaced.",
    "Let me run the tests again.",
    "Now let me find where the cache is used.",
    "First, let me see the imports.",
    "Let me verify that it passes.",
    "Let's look at the callers.",
    "I'm checking the remaining callers now.",
    "I’ll inspect the parser first.",
    "I need to find the right place for this.",
    "让我看看还有哪里用到它。",
    "我先跑一下测试。",
]
PLANS = [
    "Let me update the imports in the reader.",
    "Now let me remove the unused helper.",
    "Let's replace the old loader.",
    "I need to move the interface out of the class.",
    "Now add the methods to the end of the class.",
    "I’m adding the retry to the client now.",
    "让我把导出也改掉。",
]
REMARKS = [
    "Excellent progress!",
    "There are many errors in the old methods.",
    "Now I have a complete picture.",
    "You're right, that was wrong.",
    "I accidentally put it inside of the class.",
    "The problem is that the path is one level off.",
    "问题出在路径少了一层。",
    "哦，我刚才放错地方了。",
]


@pytest.mark.parametrize("text", [*LOOKS, *PLANS, *REMARKS])
def test_what_is_announced_or_remarked_after_a_write_is_not_done(text: str) -> None:
    state = extract([OPENING, *wrote("shop/price.py"), says(text)])
    assert state.done == ()


@pytest.mark.parametrize("text", [*LOOKS, *REMARKS])
def test_looking_and_remarks_are_no_steps_even_after_a_write(text: str) -> None:
    before = [OPENING, *wrote("shop/price.py")]
    for messages in ([*before, says(text)], [*before, says(text), *wrote("shop/other.py")]):
        state = extract(messages)
        assert (state.open, state.done) == ((), ())


@pytest.mark.parametrize("text", PLANS)
def test_what_is_announced_is_open_until_it_is_written(text: str) -> None:
    before = [OPENING, *wrote("shop/price.py"), says(text)]
    (step,) = extract(before).open
    assert not step.lower().startswith(("let me", "let's", "now", "i need", "i’m", "让我"))
    after = extract([*before, *wrote("shop/other.py")])
    assert (after.open, after.done) == ((), (step,))


@pytest.mark.parametrize(
    "text", ["The total is rounded once now.", "Refunds get rounded too.", "现在退款也取整了。"]
)
def test_what_a_write_has_done_is_still_told_by_the_sentence_after_it(text: str) -> None:
    assert extract([OPENING, *wrote("shop/price.py"), says(text)]).done == (text,)


def test_a_statement_that_opens_with_now_is_no_announcement() -> None:
    text = "Now if the table is missing, the loader will be asked again."
    assert extract([OPENING, says(text)]).open[-1] == text


def test_a_file_that_is_only_looked_at_next_is_not_to_change() -> None:
    for text in (
        "Let me check shop/tax.py.",
        "Next I'll read shop/tax.py.",
        "先看一下 shop/tax.py。",
    ):
        roles = {f.path: f.role for f in extract([OPENING, says(text)]).files}
        assert roles.get("shop/tax.py") != "to_change"
    for text in ("I'm leaving shop/tax.py as it is.", "I'm assuming shop/tax.py is fine."):
        roles = {f.path: f.role for f in extract([OPENING, says(text)]).files}
        assert roles.get("shop/tax.py") != "to_change"
    roles = {f.path: f.role for f in extract([OPENING, says("Let me fix shop/tax.py.")]).files}
    assert roles["shop/tax.py"] == "to_change"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/docs/index.html",
        "http://localhost:8000/static/app.js",
        "https://github.com/acme/shop/blob/main/shop/price.py",
        "https://github.com/acme/shop/blob/main/shop/price.py#L10-L20",
        "https://example.org/a.json?x=1&y=b.py",
        "ftp://files.example.org/dump.csv",
        "s3://bucket/raw/rows.csv",
        "git+ssh://git@example.org/acme/shop.rs",
        "www.example.org/readme.md",
        "github.com/acme/shop/blob/main/README.md",
        "pypi.org/simple/index.html",
        "`https://example.org/docs/index.html`",
        "(https://example.org/docs/index.html)",
        "[the docs](https://example.org/docs/index.html)",
        "<https://example.org/docs/index.html>",
    ],
)
@pytest.mark.parametrize(
    "form", ["Please fix it as {} shows.", "See {}.", "按 {} 的说明改。", "见{}，照着改。"]
)
def test_an_address_is_no_file(form: str, url: str) -> None:
    assert extract([user(form.format(url))]).files == ()


@pytest.mark.parametrize(
    "text",
    [
        "Fix shop/price.py, see https://example.org/a.html",
        "Fix shop/price.py (https://example.org/a.html), please",
        "改 shop/price.py，见https://example.org/a.html。",
        "https://example.org/a.html 说得清楚，请改 shop/price.py。",
    ],
)
def test_a_file_beside_an_address_is_found(text: str) -> None:
    assert [f.path for f in extract([user(text)]).files] == ["shop/price.py"]


@pytest.mark.parametrize(
    "path",
    [
        "sites/example.com/index.html",
        "/srv/www/app.py",
        "../lib/a.rs",
        "~/notes/todo.md",
        "docs.md",
    ],
)
def test_a_path_that_has_something_of_an_address_is_a_file(path: str) -> None:
    assert [f.path for f in extract([user(f"Please fix {path} now")]).files] == [path]


def test_a_state_of_chat_alone_is_empty() -> None:
    chat: list[Any] = [user(text) for text in GO_AHEADS]
    assert extract(chat) == State()
