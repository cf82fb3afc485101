"""idempotent_tools: the tools refuse to do a finished thing twice, and say so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.errors import WorkspaceError
from harness.strategies.base import AddOn, Context, Strategy
from harness.strategies.keep import calls
from harness.transcript import Turn
from harness.types import Compaction, Message, ToolCall

# Commands whose words show that a second run adds to, moves or alters once more what the first one
# left. Checks, reads, builds and whatever a script does inside are never among them: refusing one
# of these by mistake would do the harm that this is to prevent.
_NOT_TWICE = re.compile(
    r"(?<![<>])>>(?!>)|\btee\s+(?:-a|--append)\b|\bsed\s+(?:-\w+\s+)*(?:-\w*i|--in-place)"
    r"|(?:^|[;&|\n]\s*)(?:git\s+(?:mv|apply|am|revert|cherry-pick)|mv|patch)\s"
)
_TO_NOWHERE = re.compile(r"\d?>>\s*(?:/dev/null|&\d)")
_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_FAILED = re.compile(r"(?:^|\n)(?:exit code \d+|timed out[^\n]*)\n?$|^error:")


class IdempotentTools(AddOn):
    """Three refusals, each told as the call's result; nothing else is held up, no reading ever.

    `edit_file`: the new text is in the file, and the old text only within it. `write_file`: the
    file has exactly this content. `run`: the same command (blanks aside) has succeeded before, seen
    in a history at a seam or since, and by its words a second run would add, move or alter once
    more (`>>`, `tee -a`, `sed -i`, `mv`, `patch`, `git mv|apply|am|revert|cherry-pick`). What a
    script does cannot be seen and is let through.
    """

    name = "idempotent_tools"
    source = "study"
    keeps = "nothing in the view; calls whose effect is there already are refused"

    def __init__(self, inner: Strategy) -> None:
        super().__init__(inner)
        self._ran: set[str] = set()

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        for name, args, result in calls(history):
            if name == "run" and not _FAILED.search(result):
                self._ran.add(_same(str(args.get("command", ""))))
        return await self.inner.compact(history, ctx)

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        self._ran.update(_same(c.args["command"]) for c in turn.calls if c.tool == "run" and c.ok)
        await self.inner.after_turn(turn, ctx)

    def refuse(self, call: ToolCall, ctx: Context) -> str | None:
        why = self._why(call, ctx)
        if why is None:
            return self.inner.refuse(call, ctx)
        ctx.notes.append(f"refused:{call.name}")
        return f"Not done again: {why}. Nothing was changed; go on with what is still open."

    def _why(self, call: ToolCall, ctx: Context) -> str | None:
        args = call.args
        if call.name == "run":
            found = _same(args["command"]) in self._ran and _alters_again(args["command"])
            return "this command has been run with success before" if found else None
        if call.name not in ("edit_file", "write_file"):
            return None
        try:
            text = ctx.workspace.text(args["path"])
        except WorkspaceError:
            return None  # the tool itself says what is wrong with the path
        if text is None:
            return None
        if call.name == "write_file":
            found = text == args["content"]
            return f"{args['path']} has exactly this content already" if found else None
        return f"{args['path']} has this change already" if _made(text, args) else None


def _made(text: str, args: dict[str, str]) -> bool:
    """Whether an edit's new text is there and its old text nowhere but within it."""
    old, new = args["old"], args["new"]
    return bool(old and new) and old != new and new in text and old not in text.replace(new, "\0")


def _alters_again(command: str) -> bool:
    """By the shell's own words: what stands in quotes or in a here-document is data."""
    shell = command.partition("\n")[0] if "<<" in command else command
    return bool(_NOT_TWICE.search(_TO_NOWHERE.sub("", _QUOTED.sub("''", shell))))


def _same(command: str) -> str:
    return " ".join(command.split())
