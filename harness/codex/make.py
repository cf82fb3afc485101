"""The Codex agent of a configuration, and what it cannot be combined with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.codex.agent import CodexAgent
from harness.codex.process import Process, Setting, find_codex, version_of
from harness.sandbox import Sandbox
from harness.settings import Config


def columns(sandbox: Sandbox) -> dict[str, str]:
    """What a record says of the agent: its version, and whose sandbox its commands are in."""
    own = "bubblewrap" if sandbox.name == "bubblewrap" else "codex_workspace_write"
    return {"agent": f"codex-{version_of(find_codex())}", "sandbox": own}


def codex_agent(config: Config, run: Path, parts: Mapping[str, Any]) -> CodexAgent:
    """An agent that is Codex CLI. run: the run's folder; parts: what every agent is made of."""
    binary = find_codex()
    setting = Setting(binary, str(config.agent.model), config.plan_tool)
    workspace = parts["workspace"].root
    process = Process(
        setting,
        parts["sandbox"],
        workspace,
        home=run / "scratch" / workspace.name,
        meet=workspace.parent,
    )
    return CodexAgent(**parts, process=process, prompt=f"Codex CLI {version_of(binary)}")
