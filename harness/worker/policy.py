"""What the reference worker does next: one decision per request, from the request alone.

A step is read, edit, check and plan. The order of the branches in `Worker.decide` is the policy.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from harness.task_model import Call, Edit, Subgoal, Task
from harness.text import digest
from harness.types import Message
from harness.worker.beliefs import GOAL, Beliefs, Matcher, View, believe, read_view
from harness.worker.instructions import Notes, after_step, first_calls, own_line, restate

LISTING = "find . -type f -not -path './.git/*' | sort"
ORIENT = "git status --short && git diff --stat"

WORDS = {
    "en": {
        "read": "Next: {name} ({path}).",
        "search": "Looking for the place of: {name}.",
        "edit": "Working on {name} ({path}).",
        "done": "Done: {name} ({path}).",
        "failed": "The edit of {name} ({path}) was refused; it remains open.",
        "orient": "A look at the state of the working tree.",
        "look": "Nothing open in the plan; a look at the files and the checks.",
        "finish": "All planned steps are finished.",
        "goal": "What is the task, and which files does it concern?",
        "lost": "I cannot tell what to work on, so I stop here.",
        "notes": "First the notes.",
        "commit_done": "Done: {name}",
        "commit_failed": "Not done: {name}",
    },
    "zh": {
        "read": "接下来：{name}（{path}）。",
        "search": "正在找这一步的位置：{name}。",
        "edit": "正在处理{name}（{path}）。",
        "done": "已完成：{name}（{path}）。",
        "failed": "改动被退回：{name}（{path}），待处理。",
        "orient": "先看一下工作区的状态。",
        "look": "计划里没有待办了，看一下文件和检查结果。",
        "finish": "计划的步骤都做完了。",
        "goal": "现在的任务是什么，涉及哪些文件？",
        "lost": "无法判断要做什么，先停在这里。",
        "notes": "先看笔记。",
        "commit_done": "已完成：{name}",
        "commit_failed": "未完成：{name}",
    },
}


@dataclass(frozen=True)
class Parameters:
    """Habits of the worker; see configs/model/worker.yaml for the reason of each value."""

    orient: float = 0.0
    search: float = 0.0
    reads: int = 4


@dataclass(frozen=True)
class Decision:
    """One turn: what it says and the calls it makes."""

    say: str
    calls: list[Call]


class Worker:
    """The policy with one task's skill. Keeps nothing between calls of `decide` but pure memos."""

    def __init__(self, task: Task, seed: int, *, detours: bool, habits: Parameters) -> None:
        self.task = task
        self.seed = seed
        self.detours = detours
        self.habits = habits
        self.words = WORDS[task.language]
        self.matcher = Matcher(task)
        self.names = {s.id: _drawn_name(s, seed) for s in task.subgoals}

    def decide(self, messages: Sequence[Message], tools: Sequence[str]) -> Decision:
        """The next turn for a request: messages as sent, names of the tools offered."""
        view = read_view(messages)
        beliefs = believe(self.matcher, view)
        if ordered := self._ordered(view, beliefs):
            return ordered
        if not beliefs.goal:
            return self._ask_for_goal(view)
        orient = self.habits.orient if view.compacted and not view.says else 0
        if orient and self._draw("orient", messages) < orient:
            return Decision(self.words["orient"], [Call(tool="run", args={"command": ORIENT})])
        if edited := self._just_edited(view):
            return self._check(edited, view, beliefs, "update_plan" in tools)
        if detour := self._due_detour(view, beliefs):
            return detour
        beliefs = self._take_up(view, beliefs)
        if not beliefs.open(self.task):
            return self._look_or_finish(view, beliefs)
        return self._read(view, beliefs, messages) or self._edit(view, beliefs)

    def _draw(self, what: str, messages: Sequence[Message]) -> float:
        """A number in [0, 1) that depends on the request and the seed alone."""
        return int(digest([what, self.seed, list(messages)])[:8], 16) / 2**32

    def _speak(self, key: str, subgoal: Subgoal, paths: Sequence[str]) -> str:
        """A phrase about a sub-goal and the files that it really deals with."""
        shown = ", ".join(dict.fromkeys(paths))
        return self.words[key].format(name=self.names[subgoal.id], path=shown)

    def _ask_for_goal(self, view: View) -> Decision:
        if sum(act.tool == "ask_user" for act in view.acts) >= 2:
            return Decision(self.words["lost"], [_call("finish", message=self.words["lost"])])
        return Decision("", [_call("ask_user", question=self.words["goal"])])

    def _just_edited(self, view: View) -> Subgoal | None:
        """The sub-goal whose edits (or slip, or redo) were made in the last turn."""
        last = view.says[-1] if view.says else ""
        start = self.words["edit"].partition("{path}")[0]
        named = ((start.format(name=self.names[s.id]), s) for s in self.task.subgoals)
        return next((s for beginning, s in named if last.startswith(beginning)), None)

    def _check(self, subgoal: Subgoal, view: View, beliefs: Beliefs, plan: bool) -> Decision:
        """The targeted check, then the plan with everything known of."""
        key = "failed" if subgoal.id in beliefs.blocked else "done"
        checks = self.task.checks
        calls = []
        if checks:
            known = checks.fact is None or checks.fact in beliefs.facts
            calls.append(_call("run", command=checks.own if known else checks.generic))
        if plan:
            calls.append(_call("update_plan", items=self._plan(beliefs)))
        made = [act for act in view.acts if act.turn == len(view.says) - 1]
        paths = [act.args["path"] for act in made if "path" in act.args]
        say = self._speak(key, subgoal, paths or subgoal.files)
        return self._by_order(Decision(say, calls), view, beliefs, f"commit_{key}", subgoal)

    def _by_order(
        self, step: Decision, view: View, beliefs: Beliefs, key: str, subgoal: Subgoal
    ) -> Decision:
        """The end of a step with what the instructions in the view want after it."""
        notes = self._notes(view, beliefs)
        subject = self.words[key].format(name=self.names[subgoal.id])
        calls = after_step(view.orders, notes, self.task.language, subject)
        said, every = step.say, view.orders.repeat
        finished = self.words["done"].partition("{")[0]
        steps = sum(say.startswith(finished) for say in [*view.says, said])
        if every and steps % every == 0:
            said += "\n" + restate(["rules"], notes, self.task.language)
        return Decision(said, [*step.calls, *calls])

    def _ordered(self, view: View, beliefs: Beliefs) -> Decision | None:
        """What an instruction in the view wants done first: notes read, then the state told."""
        runs = [act.args["command"] for act in view.acts if act.tool == "run"]
        if calls := first_calls(view.orders, list(beliefs.read), runs):
            return Decision(self.words["notes"], calls)
        if view.orders.state is None:
            return None
        told = restate(view.orders.state, self._notes(view, beliefs), self.task.language)
        return Decision(told or self.words["lost"], [])

    def _notes(self, view: View, beliefs: Beliefs) -> Notes:
        """What it knows, as lines: facts and goal verbatim as its view has them."""
        said: dict[str, str] = {}
        for unit in view.units:
            for name in self.matcher.ids(unit.text):
                said.setdefault(name, own_line(unit.text, self.task.language))
        known = [fact for fact in self.task.facts if fact.id in beliefs.facts]
        kinds = {"decisions": [f.id for f in known if f.kind == "decision"]}
        kinds["rules"] = [f.id for f in known if f.kind != "decision"]
        marks = [(item, item["status"] == "done") for item in self._plan(beliefs)]
        done = [f"[x] {item['text']}" for item, finished in marks if finished]
        todo = [f"[ ] {item['text']}" for item, finished in marks if not finished]
        placed = [s for s in self.task.subgoals if s.id in beliefs.paths]
        return {
            **{kind: list(dict.fromkeys(said[i] for i in ids)) for kind, ids in kinds.items()},
            "goal": [said[GOAL]] if GOAL in said else [],
            "plan": [*done, *todo],
            "done": done,
            "open": todo,
            "next": todo[:1],
            "files": [f"{', '.join(s.files)}: {self.names[s.id]}" for s in placed],
        }

    def _plan(self, beliefs: Beliefs) -> list[dict[str, str]]:
        known = [s for s in self.task.subgoals if s.id in beliefs.mentioned]
        return [
            {
                "text": f"{self.names[s.id]} ({', '.join(s.files)})"
                if s.id in beliefs.paths
                else self.names[s.id],
                "status": "done" if s.id in beliefs.done else "todo",
            }
            for s in known
        ]

    def _due_detour(self, view: View, beliefs: Beliefs) -> Decision | None:
        if not self.detours:
            return None
        for detour in self.task.detours:
            if detour.after in beliefs.done and detour.say not in view.says:
                return Decision(detour.say, list(detour.calls))
        return None

    def _read(self, view: View, beliefs: Beliefs, messages: Sequence[Message]) -> Decision | None:
        """Unread files of open sub-goals it can name; a listing where the next path is unknown."""
        following = beliefs.open(self.task)
        first = following[0]
        if first.redo and self._wants_redo(first, view):
            return None
        listed = any(a.tool == "run" and a.args["command"] == LISTING for a in view.acts)
        unknown = first.id not in beliefs.paths and not self._path_told(first, beliefs)
        search = self.habits.search
        if not listed and (unknown or (search and self._draw("search", messages) < search)):
            say = self.words["search"].format(name=self.names[first.id])
            return Decision(say, [_call("run", command=LISTING)])
        wanted: list[str] = []
        for subgoal in following:
            if subgoal.id in beliefs.paths or subgoal is first:
                wanted += [p for p in self._targets(subgoal, beliefs) if p not in wanted]
        unread = [p for p in wanted if p not in beliefs.read][: self.habits.reads]
        if not any(path in self._targets(first, beliefs) for path in unread):
            return None
        say = self._speak("read", first, self._targets(first, beliefs))
        return Decision(say, [_call("read_file", path=p) for p in unread])

    def _wants_redo(self, subgoal: Subgoal, view: View) -> bool:
        """After a seam a step that does harm when repeated is done unread, as people do."""
        return view.compacted and subgoal.redo is not None

    def _path_told(self, subgoal: Subgoal, beliefs: Beliefs) -> bool:
        return any(
            need in beliefs.facts and self.task.fact(need).kind == "path" for need in subgoal.needs
        )

    def _targets(self, subgoal: Subgoal, beliefs: Beliefs) -> list[str]:
        """Files to read for a sub-goal; by name alone, a look-alike wins where it is as good."""
        created = {edit.path for edit in subgoal.edits if edit.content is not None}
        targets = [path for path in subgoal.files if path not in created]
        if subgoal.id in beliefs.paths or self._path_told(subgoal, beliefs):
            return targets
        return [self._best_match(subgoal, path) for path in targets]

    def _best_match(self, subgoal: Subgoal, target: str) -> str:
        decoy = self.task.files.decoys.get(target)
        if decoy is None:
            return target
        phrase = " ".join(subgoal.names)
        return decoy if _likeness(phrase, decoy) >= _likeness(phrase, target) else target

    def _edit(self, view: View, beliefs: Beliefs) -> Decision:
        """All edits of the next open sub-goal, or the slip of its first unknown need."""
        subgoal = beliefs.open(self.task)[0]
        unknown = beliefs.unknown(subgoal, self.task)
        slip = self.task.slip(subgoal.id, unknown) if unknown else None
        if slip and slip.ask and not any(a.args.get("question") == slip.ask for a in view.acts):
            return Decision("", [_call("ask_user", question=slip.ask)])
        edits = list(subgoal.edits)
        if slip and slip.run:
            edits = [Edit(run=slip.run)]
        elif slip and slip.edits:
            edits = list(slip.edits)
        elif subgoal.redo and self._wants_redo(subgoal, view):
            edits = [*subgoal.redo.edits, *edits]
        paths = [edit.path for edit in edits if edit.path]
        say = self._speak("edit", subgoal, paths or subgoal.files)
        return Decision(say, [edit.call() for edit in edits])

    def _take_up(self, view: View, beliefs: Beliefs) -> Beliefs:
        """Sub-goals whose file the full check's output names become known."""
        checks = self.task.checks
        outputs = [a.result for a in view.acts if checks and a.args.get("command") == checks.full]
        found = {
            s.id for s in self.task.subgoals if any(p in out for out in outputs for p in s.files)
        }
        return replace(beliefs, mentioned=beliefs.mentioned | found)

    def _look_or_finish(self, view: View, beliefs: Beliefs) -> Decision:
        """Nothing open that it knows of: files and full check once, then finish."""
        checks = self.task.checks
        known = checks and (checks.fact is None or checks.fact in beliefs.facts)
        command = (checks.full if known else checks.generic) if checks else ORIENT
        if self.words["look"] not in view.says:
            calls = [_call("run", command=LISTING), _call("run", command=command)]
            return Decision(self.words["look"], calls)
        return Decision(self.words["finish"], [_call("finish", message=self.words["finish"])])


def _drawn_name(subgoal: Subgoal, seed: int) -> str:
    return subgoal.names[int(digest([seed, subgoal.id])[:8], 16) % len(subgoal.names)]


def _call(name: str, **args: object) -> Call:
    return Call(tool=name, args=args)


def _likeness(phrase: str, path: str) -> float:
    """How well a file name fits a phrase: shared words first, then likeness of the best word."""
    words = set(re.findall(r"\w+", phrase.lower()))
    stem = PurePosixPath(path).stem.lower()
    shared = len(words & set(re.split(r"[_\W]+", stem)))
    best = max((difflib.SequenceMatcher(None, word, stem).ratio() for word in words), default=0.0)
    return shared + round(best, 1)
