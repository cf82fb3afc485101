"""The reference worker and the summariser: what they do follows from the request alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from fixtures import ORDER, PROJECT, fixture_data, small_task, write_fixture

from harness import tokens
from harness.agent import SYSTEM_PROMPT
from harness.build import sandbox_here
from harness.errors import WorkspaceError
from harness.evidence import plan_units
from harness.sandbox import Sandbox
from harness.task_model import Task
from harness.tasks import LoadedTask, load_task
from harness.text import carried, matches_all, units
from harness.tools import dispatch, parse_calls, schemas
from harness.types import Message
from harness.worker.backend import WorkerBackend, handle
from harness.worker.beliefs import Matcher, believe, read_view
from harness.worker.policy import WORDS
from harness.worker.summariser import summarise
from harness.workspace import Workspace

SYSTEM = {"role": "system", "content": SYSTEM_PROMPT}
RULES = "- Add no print calls.\n- New names are snake_case.\n- Nothing over 40 columns.\n"
REQUEST = fixture_data()["request"]["text"]
GOAL = "Rename the helpers of pkg.\n"


@dataclass
class Session:
    """The worker at work on a real copy of the small fixture, from a view of our making."""

    loaded: LoadedTask
    sandbox: Sandbox
    workspace: Workspace
    messages: list[Message]
    phase: str = "f"
    replies: list[Message] = field(default_factory=list)

    async def turn(self) -> list[tuple[str, dict[str, Any]]]:
        """One reply and its results, into the view; the calls as (tool, arguments)."""
        backend = WorkerBackend({self.loaded.hash: self.loaded.task})
        reply = (await backend.complete(self.request()))["choices"][0]["message"]
        self.replies.append(reply)
        self.messages.append(reply)
        calls = parse_calls(reply)
        for call in calls:
            result = await dispatch(call, self.workspace, self.sandbox)
            text = "As agreed, please go on." if call.name == "ask_user" else result.text
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
        return [(call.name, call.args) for call in calls]

    async def turns(self, most: int = 60) -> list[list[tuple[str, dict[str, Any]]]]:
        """Turns until the worker is finished."""
        made = []
        while len(made) < most and not (made and made[-1][-1][0] == "finish"):
            made.append(await self.turn())
        return made

    def request(self) -> dict[str, Any]:
        name = handle(self.loaded.hash, 0, detours=self.phase == "p")
        return {"model": f"worker:{name}", "messages": list(self.messages), "tools": schemas()}


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedTask:
    return small_task(tmp_path / "tasks")


@pytest.fixture
def plain() -> Sandbox:
    return sandbox_here("plain")


@pytest.fixture
def begin(loaded: LoadedTask, plain: Sandbox, tmp_path: Path) -> Any:
    def make(*messages: Message, phase: str = "f") -> Session:
        workspace = Workspace.create(loaded.files, tmp_path / "work")
        return Session(loaded, plain, workspace, [SYSTEM, *messages], phase)

    return make


def card(text: str) -> Message:
    """A view after the seam: one message with carried text."""
    return {"role": "user", "content": carried("card", text) + "\n\nPlease continue."}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def edits(turns: Sequence[Sequence[tuple[str, dict[str, Any]]]]) -> list[dict[str, Any]]:
    """Arguments of all calls that write, in order."""
    return [args for turn in turns for tool, args in turn if tool in ("edit_file", "write_file")]


async def test_a_step_is_read_edit_check(begin: Any, loaded: LoadedTask) -> None:
    session = begin(card(GOAL + RULES + "- [ ] the alpha part (pkg/alpha.py)"))
    first, second, third = [await session.turn() for _ in range(3)]
    assert first == [("read_file", {"path": "pkg/alpha.py"})]
    new = {"path": "pkg/alpha.py", "old": "def runAlpha", "new": "def run_alpha"}
    assert second == [("edit_file", new)]
    assert third[0] == ("run", {"command": "sh check.sh"})
    assert third[1][0] == "update_plan"
    (item,) = third[1][1]["items"]
    assert item["status"] == "done"
    assert item["text"] in {f"{name} (pkg/alpha.py)" for name in loaded.task.subgoal("alpha").names}


async def test_the_own_command_needs_its_fact(begin: Any) -> None:
    rules = RULES + "- Checks are always run with PORT=8123.\n"
    session = begin(card(GOAL + rules + "- [ ] the alpha part (pkg/alpha.py)"))
    turns = [await session.turn() for _ in range(3)]
    assert turns[2][0] == ("run", {"command": "PORT=8123 sh check.sh"})


async def test_what_is_not_mentioned_does_not_exist(begin: Any) -> None:
    told = "- [ ] the delta part (pkg/delta.py)\n- [ ] the alpha part (pkg/alpha.py)"
    session = begin(card(GOAL + RULES + told))
    turns = await session.turns()
    assert [edit["path"] for edit in edits(turns)] == ["pkg/alpha.py", "pkg/delta.py"]
    assert turns[-1][0][0] == "finish"


async def test_all_is_done_where_all_is_told(begin: Any, loaded: LoadedTask) -> None:
    session = begin(card(REQUEST + RULES))
    turns = await session.turns()
    view = read_view(session.messages)
    assert believe(Matcher(loaded.task), view).done == set(ORDER)
    assert turns[-1][0][0] == "finish"
    assert b"run_hotel" in session.workspace.read("pkg/hotel.py")


@pytest.mark.parametrize(
    ("rules", "new"),
    [
        (RULES, "def run_alpha"),
        (RULES.replace("- Add no print calls.\n", ""), "print()\n\n\ndef run_alpha"),
        (RULES.replace("- New names are snake_case.\n", ""), "def goAlpha"),
        (
            RULES.replace("- New names are snake_case.\n", "").replace(
                "- Add no print calls.\n", ""
            ),
            "print()\n\n\ndef run_alpha",
        ),
    ],
)
async def test_a_fact_that_is_missing_makes_a_slip(begin: Any, rules: str, new: str) -> None:
    """Of several unknown needs the slip of the first is taken."""
    session = begin(card(GOAL + rules + "- [ ] the alpha part (pkg/alpha.py)"))
    turns = [await session.turn() for _ in range(2)]
    (edit,) = edits(turns)
    assert edit["new"] == new


async def test_a_fact_told_only_in_tool_output_is_not_known(begin: Any) -> None:
    session = begin(card(GOAL + "- [ ] the alpha part (pkg/alpha.py)"))
    session.workspace.resolve("pkg/alpha.py").write_text(
        "# Add no print calls.\n# New names are snake_case.\ndef runAlpha():\n    pass\n",
        encoding="utf-8",
    )
    turns = [await session.turn() for _ in range(2)]
    assert edits(turns)[0]["new"].startswith("print()")


@pytest.mark.parametrize(
    ("rules", "line", "path"),
    [
        ("", "- [ ] the echo part (pkg/echo.py)", "pkg/echo.py"),
        ("- Leave the folder gen alone.\n", "- [ ] the echo part", "pkg/echo.py"),
        ("- Leave the folder gen alone.\n", "- [ ] the echo part (pkg/echo.py)", "pkg/echo.py"),
        ("", "- [ ] the echo part", "gen/echo.py"),
    ],
)
async def test_a_decoy_only_where_fact_and_path_are_unknown(
    begin: Any, rules: str, line: str, path: str
) -> None:
    session = begin(card(GOAL + RULES + rules + line))
    turns = [await session.turn() for _ in range(5)]
    assert [edit["path"] for edit in edits(turns)] == [path]


async def test_a_place_that_is_not_told_is_searched_for(begin: Any) -> None:
    session = begin(card(GOAL + RULES + "- [ ] the echo part"))
    (tool, args), *_ = await session.turn()
    assert tool == "run"
    assert args["command"].startswith("find .")


async def test_the_goal_is_asked_for_twice(begin: Any) -> None:
    session = begin(card("- [ ] the alpha part (pkg/alpha.py)"))
    turns = await session.turns()
    assert [turn[0][0] for turn in turns] == ["ask_user", "ask_user", "finish"]
    assert turns[0] == turns[1]


async def test_an_answer_that_tells_the_goal_is_taken(begin: Any) -> None:
    session = begin(card(RULES + "- [ ] the alpha part (pkg/alpha.py)"))
    assert (await session.turn())[0][0] == "ask_user"
    session.messages[-1]["content"] = GOAL
    assert await session.turn() == [("read_file", {"path": "pkg/alpha.py"})]


@pytest.mark.parametrize(
    ("told", "done"),
    [
        ("- [x] the alpha part (pkg/alpha.py)", True),
        ("Done:\n- the alpha part", True),
        ("已完成：\n- alpha", True),
        ("- [ ] the alpha part (pkg/alpha.py)", False),
        ("- [x] the alpha part is not finished yet", False),
        ("The alpha part (pkg/alpha.py) will be done next.", False),
    ],
)
async def test_done_by_the_marks_of_a_card(
    loaded: LoadedTask, begin: Any, told: str, done: bool
) -> None:
    beliefs = believe(Matcher(loaded.task), read_view([SYSTEM, card(GOAL + told)]))
    assert beliefs.mentioned == {"alpha"}
    assert (beliefs.done == {"alpha"}) is done
    session = begin(card(GOAL + RULES + told + "\n\n- [ ] the bravo part (pkg/bravo.py)"))
    assert ("pkg/alpha.py" in [e["path"] for e in edits(await session.turns())]) is not done


def test_done_by_the_marks_of_a_plan(loaded: LoadedTask) -> None:
    items = [
        {"text": "the alpha part", "status": "done"},
        {"text": "the bravo part", "status": "doing"},
        {"text": "the carol part", "status": "todo"},
    ]
    function = {"name": "update_plan", "arguments": json.dumps({"items": items})}
    plan = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]}
    beliefs = believe(Matcher(loaded.task), read_view([user(GOAL), plan]))
    assert (beliefs.mentioned, beliefs.done) == ({"alpha", "bravo", "carol"}, {"alpha"})


def test_a_user_cannot_tell_what_is_done(loaded: LoadedTask) -> None:
    told = "- [x] the alpha part (pkg/alpha.py)"
    assert believe(Matcher(loaded.task), read_view([user(told)])).done == set()
    assert believe(Matcher(loaded.task), read_view([card(told)])).done == {"alpha"}
    tool = {"role": "tool", "tool_call_id": "1", "content": told}
    assert believe(Matcher(loaded.task), read_view([tool])).mentioned == set()


async def test_what_was_done_is_seen_by_reading(begin: Any) -> None:
    session = begin(card(GOAL + RULES + "- [ ] the alpha part (pkg/alpha.py)"))
    session.workspace.resolve("pkg/alpha.py").write_text("def run_alpha(): ...\n", encoding="utf-8")
    assert edits(await session.turns()) == []


async def test_an_edit_that_fails_blocks_its_step_and_no_other(begin: Any) -> None:
    told = "- [ ] the alpha part (pkg/alpha.py)\n- [ ] the bravo part (pkg/bravo.py)"
    session = begin(card(GOAL + RULES + told))
    session.workspace.resolve("pkg/alpha.py").write_text("def runAlpha2(): ...\n" * 2, "utf-8")
    turns = await session.turns()
    assert [edit["path"] for edit in edits(turns)] == ["pkg/alpha.py", "pkg/bravo.py"]
    plans = [args["items"] for turn in turns for tool, args in turn if tool == "update_plan"]
    assert [item["status"] for item in plans[-1]] == ["todo", "done"]


CHANGELOG = "- [ ] the CHANGELOG line (CHANGELOG.md)"


@pytest.mark.parametrize(("seam", "lines"), [(True, 2), (False, 1)])
async def test_a_step_is_done_twice_only_after_a_seam(begin: Any, seam: bool, lines: int) -> None:
    told = GOAL + RULES + CHANGELOG
    session = begin(card(told) if seam else user(told))
    done = "# Changes\n\n- Helpers have new names.\n- First version.\n"
    session.workspace.resolve("CHANGELOG.md").write_text(done, encoding="utf-8")
    await session.turns()
    assert session.workspace.read("CHANGELOG.md").count(b"Helpers have") == lines


async def test_a_step_that_was_not_done_is_done_once_after_a_seam(begin: Any) -> None:
    session = begin(card(GOAL + RULES + CHANGELOG))
    await session.turns()
    assert session.workspace.read("CHANGELOG.md").count(b"Helpers have") == 1


@pytest.mark.parametrize(("phase", "times"), [("p", 1), ("f", 0)])
async def test_detours_only_in_a_prefix(begin: Any, phase: str, times: int) -> None:
    session = begin(user(REQUEST), phase=phase)
    await session.turns()
    said = [message["content"] for message in session.replies]
    assert said.count("A search for callers.") == times


FOUR = (
    "rename/tally_ledger",
    "bugfix/shift_scheduler",
    "migrate/cachetools_clock",
    "feature/calc_units",
)


def own_words(task: Task, keys: Collection[str]) -> set[str]:
    """Units of what the worker can say about its steps, and of its plans."""
    said = []
    for subgoal in task.subgoals:
        slips = [task.slip(subgoal.id, need) for need in subgoal.needs]
        edits = [*subgoal.edits, *(e for slip in slips if slip for e in slip.edits or [])]
        paths = list(dict.fromkeys([*subgoal.files, *(e.path for e in edits if e.path)]))
        decoys = [task.files.decoys[path] for path in paths if path in task.files.decoys]
        for name in subgoal.names:
            for path in [*paths, *decoys, ", ".join(paths)]:
                said += [WORDS[task.language][key].format(name=name, path=path) for key in keys]
                for status in ("todo", "done"):
                    items = [
                        {"text": text, "status": status} for text in (name, f"{name} ({path})")
                    ]
                    said += plan_units(items)
    return {unit for text in said for unit in units(text)}


def facts_told(name: str, keys: Collection[str]) -> dict[str, list[str]]:
    """Facts of a fixture that the worker's own words would repeat."""
    try:
        task = load_task(PROJECT / "tasks" / name).task
    except WorkspaceError as error:
        pytest.skip(f"its source cannot be fetched here: {error}")
    said = own_words(task, keys)
    assert len(said) > 5 * len(task.subgoals)
    told = {f.id: [u for u in said if matches_all(f.evidence, u)] for f in task.facts}
    return {fact: found for fact, found in told.items() if found}


@pytest.mark.parametrize("name", FOUR)
def test_the_workers_own_words_repeat_no_fact(name: str) -> None:
    assert facts_told(name, WORDS["en"].keys() - {"failed"}) == {}


@pytest.mark.parametrize("name", ["bugfix/shift_scheduler", "migrate/cachetools_clock"])
def test_its_words_of_failure_repeat_no_fact(name: str) -> None:
    assert facts_told(name, ["failed"]) == {}


@pytest.mark.parametrize("name", ["rename/tally_ledger", "feature/calc_units"])
def test_its_words_of_failure_about_a_look_alike(name: str) -> None:
    assert facts_told(name, ["failed"]) == {}


FRESH = """
import asyncio, json, sys
from pathlib import Path
from harness.tasks import load_task
from harness.worker.backend import WorkerBackend

loaded = load_task(Path(sys.argv[1]))

async def main():
    for line in sys.stdin:
        backend = WorkerBackend({loaded.hash: loaded.task})
        print(json.dumps(await backend.complete(json.loads(line)), sort_keys=True))

asyncio.run(main())
"""


async def test_the_same_request_gives_the_same_reply_from_any_process(
    begin: Any, tmp_path: Path
) -> None:
    session = begin(user(REQUEST), phase="p")
    requests = []
    for _ in range(12):
        requests.append(session.request())
        await session.turn()
    later = begin_again(session, card(GOAL + RULES + "- [x] alpha\n- [ ] the echo part"))
    requests += [later, {"model": later["model"], "messages": session.messages, "max_tokens": 60}]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    folder = write_fixture(tmp_path / "again")
    outputs = []
    for seed in ("0", "7", "random"):
        done = subprocess.run(
            [sys.executable, "-c", FRESH, str(folder)],
            cwd=PROJECT,
            input=lines,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(done.stdout.splitlines())
    assert outputs[0] == outputs[1] == outputs[2]
    replies = [json.loads(line)["choices"][0]["message"] for line in outputs[0]]
    assert replies[:12] == session.replies
    assert len({json.dumps(reply) for reply in replies}) == len(requests)


def begin_again(session: Session, message: Message) -> dict[str, Any]:
    return {**session.request(), "messages": [SYSTEM, message]}


@pytest.mark.parametrize("broken", ['{"path": ', "[]", "null", '{"place": "a"}', ""])
async def test_a_call_that_cannot_be_read_was_not_carried_out(begin: Any, broken: str) -> None:
    """It comes back as an error result; the worker makes its call again, and a summary is had."""
    session = begin(card(GOAL + RULES + "- [ ] the alpha part (pkg/alpha.py)"))
    wanted = await session.turn()
    reply = session.replies[0]
    reply["tool_calls"][0]["function"]["arguments"] = broken
    (call,) = parse_calls(reply)
    assert call.error
    session.messages[-1]["content"] = call.error
    assert await session.turn() == wanted
    assert "read_file" in summarise([*session.messages], 1000)


async def test_the_backend_says_that_it_is_simulated(loaded: LoadedTask) -> None:
    backend = WorkerBackend({loaded.hash: loaded.task})
    model = f"worker:{handle(loaded.hash, 3, detours=False)}"
    reply = await backend.complete({"model": model, "messages": [user("hi")], "tools": schemas()})
    assert reply["system_fingerprint"].startswith("simulated:")
    assert reply["model"] == "worker"
    assert loaded.task.id not in model
    assert loaded.hash[:8] not in model


ENGLISH = [
    SYSTEM,
    user("Please rename the helpers of pkg. Keep the tests green. One part at a time."),
    {"role": "assistant", "content": "I look at the alpha part (pkg/alpha.py)."},
    user("by the way, nothing over 40 columns please"),
    *(
        {"role": "assistant", "content": f"Done: part {n} of the helpers (pkg/p{n}.py)."}
        for n in range(9)
    ),
    {"role": "assistant", "content": "The last thing: all tests ran."},
]
CHINESE = [
    user("请把 pkg 里的辅助函数改名。测试要一直通过；一次改一处。"),
    *(
        {"role": "assistant", "content": f"已完成：第{n}处辅助函数（pkg/p{n}.py）。"}
        for n in range(9)
    ),
    {"role": "assistant", "content": "最后一件事：测试都跑过了。"},
]


@pytest.mark.parametrize("history", [ENGLISH, CHINESE])
@pytest.mark.parametrize("budget", [1, 5, 20, 40, 80, 10_000])
def test_a_summary_is_within_its_budget(history: list[Message], budget: int) -> None:
    summary = summarise(history, budget)
    assert tokens.count(summary) <= budget
    assert summary == summarise(history, budget)
    said = {unit for m in history if m["role"] != "system" for unit in units(m["content"])}
    assert set(summary.splitlines()) <= said
    if budget == 10_000:
        assert set(summary.splitlines()) == said


@pytest.mark.parametrize(
    ("history", "opening", "last", "budget"),
    [
        (ENGLISH, "Please rename the helpers of pkg.", "The last thing: all tests ran.", 20),
        (CHINESE, "请把 pkg 里的辅助函数改名。", "最后一件事：测试都跑过了。", 30),
    ],
)
def test_a_summary_keeps_the_opening_and_the_last_thing(
    history: list[Message], opening: str, last: str, budget: int
) -> None:
    lines = summarise(history, budget).splitlines()
    assert (lines[0], lines[-1]) == (opening, last)


def test_what_is_said_once_goes_first() -> None:
    summary = summarise(ENGLISH, 80)
    assert "of the helpers" in summary
    assert "40 columns" not in summary


@pytest.mark.parametrize("history", [[], [SYSTEM], [user("")]])
def test_a_summary_of_nothing(history: list[Message]) -> None:
    assert summarise(history, 100) == ""


def test_a_summary_holds_no_tool_output_but_calls() -> None:
    function = {"name": "read_file", "arguments": json.dumps({"path": "pkg/alpha.py"})}
    history = [
        user("Look at it."),
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]},
        {"role": "tool", "tool_call_id": "1", "content": "secret = 1\n"},
    ]
    assert summarise(history, 100) == "Look at it.\nread_file pkg/alpha.py"
