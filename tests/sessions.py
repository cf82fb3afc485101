"""Small session files of every format, telling one invented story; written for the tests.

A step is ("user", text), ("agent", text, calls) or ("seam", summary); a call is
(name, arguments, result, failed). Tools are called as our own are; the writers translate.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Step = tuple[Any, ...]

FORBID = "Never edit src/moth/legacy.py, it belongs to another team."
WIDTH = "Lines must stay below 88 columns."
FORBID_ZH = "不要修改 src/moth/legacy.py，那是别的团队的。"
SUMMARY = (
    "## Goal\nRename weight to mass in src/moth/table.py.\n"
    "## Rules\n- Lines must stay below 88 columns.\n## Next\n- Rename weight in src/moth/cli.py."
)
SUMMARY_ZH = (
    "## 目标\n把 src/moth/table.py 里的 weight 改名为 mass。\n## 下一步\n- 改 src/moth/cli.py。"
)


def edit(path: str, old: str, new: str) -> tuple[str, dict[str, Any], str, bool]:
    return "edit_file", {"path": path, "old": old, "new": new}, "edited", False


def story(chinese: bool = False) -> list[Step]:
    """A rule is lost at the seam; after it the file is edited, and a failing check run again."""
    ask = (
        "把 src/moth/table.py 里的 weight 改名为 mass。"
        if chinese
        else ("Please rename weight to mass in src/moth/table.py and then in src/moth/cli.py.")
    )
    rule = FORBID_ZH if chinese else f"{FORBID} {WIDTH}"
    failing = ("run", {"command": "make check"}, "2 failed\nexit code: 2", True)
    return [
        ("user", ask),
        (
            "agent",
            "I look at the table first.",
            [("read_file", {"path": "src/moth/table.py"}, "weight = 1", False)],
        ),
        ("user", rule),
        ("agent", "", [edit("src/moth/table.py", "weight", "mass")]),
        ("agent", "Now the check.", [failing]),
        ("seam", SUMMARY_ZH if chinese else SUMMARY),
        ("agent", "I go on with the check.", [failing]),
        ("agent", "", [edit("src/moth/legacy.py", "weight", "mass")]),
        ("agent", "The rename is complete." if not chinese else "任务已完成。", []),
    ]


def lines(records: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def stamp(number: int) -> str:
    return f"2026-03-01T10:00:{number:02d}.000Z"


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def _patch(args: dict[str, Any]) -> str:
    return (
        f"*** Begin Patch\n*** Update File: {args['path']}\n@@\n-{args['old']}\n+{args['new']}\n"
        "*** End Patch\n"
    )


def codex(steps: Sequence[Step], kind: str = "replacement") -> str:
    """kind: replacement, message (no replacement history) or encrypted."""
    meta = {"id": uuid(1), "cwd": "/home/ada/moth", "cli_version": "0.150.0", "model_provider": "x"}
    records = [
        {"type": "session_meta", "payload": meta},
        {"type": "turn_context", "payload": {"model": "m-1", "cwd": "/home/ada/moth"}},
        _codex_message(
            "user", "<environment_context><cwd>/home/ada/moth</cwd></environment_context>"
        ),
    ]
    users: list[str] = []
    for number, step in enumerate(steps):
        if step[0] == "user":
            users.append(step[1])
            records.append(_codex_message("user", step[1]))
            records.append(
                {"type": "event_msg", "payload": {"type": "user_message", "message": step[1]}}
            )
        elif step[0] == "agent":
            records += _codex_agent(step, number)
        else:
            records.append({"type": "compacted", "payload": _codex_seam(step[1], users, kind)})
    return lines([{"timestamp": stamp(n), **record} for n, record in enumerate(records)])


def _codex_message(role: str, text: str) -> dict[str, Any]:
    part = {"type": "output_text" if role == "assistant" else "input_text", "text": text}
    return {
        "type": "response_item",
        "payload": {"type": "message", "role": role, "content": [part]},
    }


def _codex_agent(step: Step, number: int) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = [_codex_message("assistant", step[1])] if step[1] else []
    outputs = []
    for at, (name, args, result, failed) in enumerate(step[2]):
        id = f"call_{number}_{at}"
        if name == "edit_file":
            call = {
                "type": "custom_tool_call",
                "name": "apply_patch",
                "input": _patch(args),
                "call_id": id,
            }
        else:
            command = args.get("command") or f"cat {args['path']}"
            given = json.dumps({"cmd": command})
            call = {
                "type": "function_call",
                "name": "exec_command",
                "arguments": given,
                "call_id": id,
            }
        text = f"Process exited with code {2 if failed else 0}\nOutput:\n{result}"
        kind = "custom_tool_call_output" if name == "edit_file" else "function_call_output"
        records.append({"type": "response_item", "payload": call})
        outputs.append(
            {"type": "response_item", "payload": {"type": kind, "call_id": id, "output": text}}
        )
    usage = {"input_tokens": 100 + number, "cached_input_tokens": 10, "output_tokens": 7}
    info = {"last_token_usage": usage, "total_token_usage": usage}
    return [
        *records,
        *outputs,
        {"type": "event_msg", "payload": {"type": "token_count", "info": info}},
    ]


def _codex_seam(summary: str, users: Sequence[str], kind: str) -> dict[str, Any]:
    prefix = "Another language model started to solve this problem and left a summary:\n"
    if kind == "message":
        return {"message": prefix + summary}
    if kind == "encrypted":
        kept = [_codex_message("user", users[0])["payload"]]
        return {
            "message": "",
            "replacement_history": [*kept, {"type": "compaction", "encrypted_content": "gAAA"}],
        }
    return {
        "message": prefix + summary,
        "replacement_history": [_codex_message("user", prefix + summary)["payload"]],
    }


def claude(steps: Sequence[Step], trigger: str = "auto") -> str:
    records: list[dict[str, Any]] = []

    def add(record: dict[str, Any], seam: bool = False) -> None:
        number = len(records) + 1
        parent = None if seam or number == 1 else uuid(number - 1)
        base = {
            "sessionId": uuid(9),
            "version": "2.1.9",
            "cwd": "/home/ada/moth",
            "isSidechain": False,
        }
        records.append(
            {
                "uuid": uuid(number),
                "parentUuid": parent,
                "timestamp": stamp(number),
                **base,
                **record,
            }
        )

    for number, step in enumerate(steps):
        if step[0] == "user":
            add({"type": "user", "message": {"role": "user", "content": step[1]}})
        elif step[0] == "seam":
            data = {"trigger": trigger, "preTokens": 150000}
            add(
                {"type": "system", "subtype": "compact_boundary", "compactMetadata": data},
                seam=True,
            )
            message = {"role": "user", "content": "This session is being continued.\n" + step[1]}
            add({"type": "user", "isCompactSummary": True, "message": message})
        else:
            _claude_agent(step, number, add)
    return lines(records)


def _claude_agent(step: Step, number: int, add: Callable[..., None]) -> None:
    names = {"run": "Bash", "read_file": "Read", "edit_file": "Edit"}
    blocks: list[dict[str, Any]] = [{"type": "text", "text": step[1]}] if step[1] else []
    for at, (name, args, _, _) in enumerate(step[2]):
        given = args if name == "run" else {"file_path": f"/home/ada/moth/{args['path']}"}
        if name == "edit_file":
            given |= {"old_string": args["old"], "new_string": args["new"]}
        blocks.append(
            {"type": "tool_use", "id": f"t{number}_{at}", "name": names[name], "input": given}
        )
    usage = {"input_tokens": 5, "cache_read_input_tokens": 90, "output_tokens": 7}
    for block in blocks:
        message = {
            "role": "assistant",
            "id": f"msg_{number}",
            "content": [block],
            "usage": usage,
            "model": "m-1",
        }
        add({"type": "assistant", "message": message})
    for at, (_, _, result, failed) in enumerate(step[2]):
        block = {
            "type": "tool_result",
            "tool_use_id": f"t{number}_{at}",
            "content": result,
            "is_error": failed,
        }
        add({"type": "user", "message": {"role": "user", "content": [block]}})


def opencode(steps: Sequence[Step]) -> str:
    names = {"run": "bash", "read_file": "read", "edit_file": "edit"}
    messages: list[dict[str, Any]] = []
    for number, step in enumerate(steps):
        info: dict[str, Any] = {
            "id": f"msg_{number}",
            "role": "user",
            "time": {"created": 1772359200000 + number},
        }
        if step[0] == "user":
            messages.append({"info": info, "parts": [{"type": "text", "text": step[1]}]})
            continue
        if step[0] == "seam":
            messages.append({"info": info, "parts": [{"type": "compaction", "auto": True}]})
            summary = {
                **info,
                "role": "assistant",
                "summary": True,
                "mode": "compaction",
                "id": f"sum_{number}",
            }
            messages.append({"info": summary, "parts": [{"type": "text", "text": step[1]}]})
            continue
        parts: list[dict[str, Any]] = [{"type": "text", "text": step[1]}]
        for at, (name, args, result, failed) in enumerate(step[2]):
            given = dict(args)
            if name != "run":
                given = {"filePath": f"/home/ada/moth/{args['path']}"}
            if name == "edit_file":
                given |= {"oldString": args["old"], "newString": args["new"]}
            state = {
                "status": "completed",
                "input": given,
                "output": result,
                "metadata": {"exit": 2 if failed else 0},
            }
            parts.append(
                {"type": "tool", "tool": names[name], "callID": f"c{number}_{at}", "state": state}
            )
        tokens = {"input": 5, "output": 7, "cache": {"read": 90, "write": 0}}
        messages.append({"info": {**info, "role": "assistant", "tokens": tokens}, "parts": parts})
    info = {"id": "ses_1", "projectID": "p", "directory": "/home/ada/moth", "version": "1.4.9"}
    return json.dumps({"info": info, "messages": messages}, ensure_ascii=False, indent=2)


def pi(steps: Sequence[Step], version: int = 3) -> str:
    records: list[dict[str, Any]] = [{"type": "session", "id": "pi-1", "cwd": "/home/ada/moth"}]
    if version == 3:
        records[0]["version"] = 3

    def add(record: dict[str, Any]) -> None:
        number = len(records)
        tree = (
            {"id": f"e{number}", "parentId": f"e{number - 1}" if number > 1 else None}
            if version == 3
            else {}
        )
        records.append({"timestamp": stamp(number), **tree, **record})

    for number, step in enumerate(steps):
        if step[0] == "user":
            add(
                {
                    "type": "message",
                    "message": {"role": "user", "content": [{"type": "text", "text": step[1]}]},
                }
            )
        elif step[0] == "seam":
            kept = (
                {"firstKeptEntryId": f"e{len(records)}"}
                if version == 3
                else {"firstKeptEntryIndex": len(records)}
            )
            add({"type": "compaction", "summary": step[1], "tokensBefore": 1000, **kept})
        else:
            content: list[dict[str, Any]] = [{"type": "text", "text": step[1]}]
            for at, (name, args, _, _) in enumerate(step[2]):
                content.append(
                    {"type": "toolCall", "id": f"p{number}_{at}", "name": name, "arguments": args}
                )
            usage = {"input": 5, "output": 7, "cacheRead": 90, "cacheWrite": 0}
            add(
                {
                    "type": "message",
                    "message": {"role": "assistant", "content": content, "usage": usage},
                }
            )
            for at, (_, _, result, failed) in enumerate(step[2]):
                message = {"role": "toolResult", "toolCallId": f"p{number}_{at}", "isError": failed}
                add(
                    {
                        "type": "message",
                        "message": {**message, "content": [{"type": "text", "text": result}]},
                    }
                )
    return lines(records)


def gemini(steps: Sequence[Step]) -> str:
    names = {"run": "run_shell_command", "read_file": "read_file", "edit_file": "replace"}
    records: list[dict[str, Any]] = [
        {"sessionId": "g-1", "projectHash": "ab", "startTime": stamp(0)}
    ]
    for number, step in enumerate(steps, 1):
        base = {"id": f"m{number}", "timestamp": stamp(number)}
        if step[0] == "user":
            records.append({**base, "type": "user", "content": [{"text": step[1]}]})
        elif step[0] == "seam":
            snapshot = f"<state_snapshot>\n{step[1]}\n</state_snapshot>"
            first = {"id": "s1", "type": "user", "content": [{"text": snapshot}]}
            records.append({"$set": {"messages": [first]}})
            records.append(
                {"id": "i1", "type": "info", "content": "Context compressed from 60% to 9%."}
            )
        else:
            calls = []
            for at, (name, args, result, failed) in enumerate(step[2]):
                given = args if name == "run" else {"file_path": args["path"]}
                if name == "edit_file":
                    given |= {"old_string": args["old"], "new_string": args["new"]}
                response = [{"functionResponse": {"response": {"output": result}}}]
                status = "error" if failed else "success"
                calls.append(
                    {
                        "id": f"g{number}_{at}",
                        "name": names[name],
                        "args": given,
                        "result": response,
                        "status": status,
                    }
                )
            tokens = {"input": 95, "cached": 90, "output": 7}
            message = {**base, "type": "gemini", "content": step[1], "tokens": tokens}
            records.append(message)
            records.append({**message, "toolCalls": calls})
    return lines(records)


def openhands(steps: Sequence[Step]) -> str:
    """The V1 SDK."""
    events: list[dict[str, Any]] = []

    def add(event: dict[str, Any]) -> None:
        events.append({"id": f"ev{len(events)}", "timestamp": stamp(len(events)), **event})

    for number, step in enumerate(steps):
        if step[0] == "user":
            message = {"role": "user", "content": [{"type": "text", "text": step[1]}]}
            add({"kind": "MessageEvent", "source": "user", "llm_message": message})
        elif step[0] == "seam":
            gone = [event["id"] for event in events]
            add(
                {
                    "kind": "Condensation",
                    "source": "environment",
                    "forgotten_event_ids": gone,
                    "summary": step[1],
                    "summary_offset": 0,
                }
            )
        elif not step[2]:
            message = {"role": "assistant", "content": [{"type": "text", "text": step[1]}]}
            add({"kind": "MessageEvent", "source": "agent", "llm_message": message})
        else:
            for at, (name, args, result, failed) in enumerate(step[2]):
                tool = "terminal" if name == "run" else "str_replace_editor"
                given = dict(args)
                if name == "edit_file":
                    given = {
                        "command": "str_replace",
                        "path": args["path"],
                        "old_str": args["old"],
                        "new_str": args["new"],
                    }
                elif name == "read_file":
                    given = {"command": "view", "path": args["path"]}
                call = {"id": f"o{number}_{at}", "name": tool, "arguments": json.dumps(given)}
                thought = [{"type": "text", "text": step[1]}]
                add(
                    {
                        "kind": "ActionEvent",
                        "source": "agent",
                        "thought": thought,
                        "tool_name": tool,
                        "tool_call_id": call["id"],
                        "tool_call": call,
                        "llm_response_id": f"r{number}",
                    }
                )
                seen = {
                    "content": [{"type": "text", "text": result}],
                    "exit_code": 2 if failed else 0,
                }
                add(
                    {
                        "kind": "ObservationEvent",
                        "source": "environment",
                        "tool_call_id": call["id"],
                        "observation": seen,
                    }
                )
    return lines(events)


def openhands_v0(steps: Sequence[Step]) -> str:
    events: list[dict[str, Any]] = []

    def add(event: dict[str, Any]) -> None:
        events.append({"id": len(events), "timestamp": stamp(len(events)), "message": "", **event})

    for step in steps:
        if step[0] == "user":
            add({"source": "user", "action": "message", "args": {"content": step[1]}})
        elif step[0] == "seam":
            gone = {"forgotten_events_start_id": 0, "forgotten_events_end_id": len(events) - 1}
            add(
                {
                    "source": "agent",
                    "action": "condensation",
                    "args": {**gone, "summary": step[1], "summary_offset": 0},
                }
            )
        elif not step[2]:
            add({"source": "agent", "action": "message", "args": {"content": step[1]}})
        for name, args, result, failed in step[2] if step[0] == "agent" else ():
            kind = {"run": "run", "read_file": "read", "edit_file": "edit"}[name]
            given = dict(args)
            if name == "edit_file":
                given = {"path": args["path"], "old_str": args["old"], "new_str": args["new"]}
            add({"source": "agent", "action": kind, "args": {**given, "thought": step[1]}})
            extras = {"metadata": {"exit_code": 2 if failed else 0}}
            add(
                {
                    "source": "environment",
                    "observation": kind,
                    "content": result,
                    "extras": extras,
                    "cause": len(events) - 1,
                }
            )
    return lines(events)


def chat_messages(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Messages of the story as one list; such a list has no seams."""
    messages: list[dict[str, Any]] = []
    for number, step in enumerate(steps):
        if step[0] == "user":
            messages.append({"role": "user", "content": step[1]})
        elif step[0] == "agent":
            calls = [
                {
                    "id": f"k{number}_{at}",
                    "type": "function",
                    "function": {"name": c[0], "arguments": json.dumps(c[1])},
                }
                for at, c in enumerate(step[2])
            ]
            messages.append(
                {
                    "role": "assistant",
                    "content": step[1],
                    **({"tool_calls": calls} if calls else {}),
                }
            )
            for at, call in enumerate(step[2]):
                messages.append(
                    {"role": "tool", "tool_call_id": f"k{number}_{at}", "content": call[2]}
                )
    return messages


def mini(steps: Sequence[Step]) -> str:
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Answer with one ```mswea_bash_command``` block."}
    ]
    for step in steps:
        if step[0] == "user":
            messages.append({"role": "user", "content": step[1]})
        elif step[0] == "agent":
            command = next(
                (c[1].get("command", f"cat {c[1].get('path')}") for c in step[2]), "echo done"
            )
            messages.append(
                {
                    "role": "assistant",
                    "content": f"{step[1]}\n```mswea_bash_command\n{command}\n```",
                }
            )
            messages.append(
                {"role": "user", "content": "<returncode>0</returncode>\n<output>ok</output>"}
            )
    info = {"mini_version": "1.17.0", "exit_status": "Submitted"}
    return json.dumps(
        {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    )


def sweagent(steps: Sequence[Step]) -> str:
    history: list[dict[str, Any]] = [
        {"role": "system", "content": "You fix issues.", "agent": "primary"}
    ]
    trajectory = []
    for step in steps:
        if step[0] == "user":
            history.append({"role": "user", "content": step[1], "agent": "primary"})
        elif step[0] == "agent":
            action = next(
                (c[1].get("command", f"open {c[1].get('path')}") for c in step[2]), "submit"
            )
            trajectory.append(
                {"action": action, "observation": "ok", "response": step[1], "thought": step[1]}
            )
            history.append(
                {"role": "assistant", "content": step[1], "action": action, "agent": "primary"}
            )
            history.append({"role": "user", "content": "ok", "agent": "primary"})
    return json.dumps(
        {"environment": "swe_main", "trajectory": trajectory, "history": history, "info": {}}
    )


def own(steps: Sequence[Step]) -> str:
    """The program's own events."""
    events: list[dict[str, Any]] = []
    count = 0
    turn = 0
    for number, step in enumerate(steps):
        if step[0] == "seam":
            message = {"role": "user", "content": f"[carried:summary]\n{step[1]}\n[/carried]"}
            events.append(
                {
                    "type": "message",
                    "n": count,
                    "turn": turn,
                    "source": "strategy",
                    "message": message,
                }
            )
            events.append(
                {
                    "type": "compaction",
                    "turn": turn,
                    "view": [[count, count]],
                    "artefacts": {"summary": step[1]},
                }
            )
            count += 1
            continue
        turn += step[0] == "agent"
        for message in chat_messages([step]):
            message = json.loads(json.dumps(message).replace('"k0_', f'"k{number}_'))
            source = {"user": "user", "assistant": "agent", "tool": "tool"}[message["role"]]
            events.append(
                {"type": "message", "n": count, "turn": turn, "source": source, "message": message}
            )
            count += 1
    return lines(events)


WRITERS: dict[str, Callable[[Sequence[Step]], str]] = {
    "codex": codex,
    "codex-message": lambda steps: codex(steps, "message"),
    "claude-code": claude,
    "opencode": opencode,
    "pi": pi,
    "pi-v1": lambda steps: pi(steps, 1),
    "gemini": gemini,
    "openhands": openhands,
    "openhands-v0": openhands_v0,
    "seambench": own,
}
"""Formats that show a seam, each with what writes the story in it."""
PLAIN: dict[str, Callable[[Sequence[Step]], str]] = {
    "chat": lambda steps: json.dumps(chat_messages(steps), ensure_ascii=False),
    "mini-swe-agent": mini,
    "sweagent": sweagent,
}
"""Formats that never show one."""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
