"""Codex's process: its binary, its own home folder, and how it is started in the sandbox."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.codex.front import Front
from harness.command import CommandResult
from harness.config import project_folder
from harness.errors import AgentError, UserError
from harness.sandbox import Sandbox
from harness.text import digest
from harness.types import Session

FOLDER = ".codex-cli"
"""Where `make codex` installs it, in the project's folder; see .ci/codex for the version."""
LONGEST_S = 6 * 3600
PORT = 8417
"""Of loopback inside the sandbox, which has nothing else on it."""
KEY = "SEAMBENCH_FRONT_TOKEN"
NO_LIMIT = 100_000_000
INSIDE = {"binary": "/opt/codex", "front": "/opt/front", "home": "/codex"}

_CONFIG = """\
model = {model}
model_provider = "seambench"
model_context_window = {window}
approval_policy = "never"
sandbox_mode = "{mode}"
web_search = "disabled"
allow_login_shell = false
developer_instructions = {instructions}
check_for_update_on_startup = false

[model_providers.seambench]
name = "seambench"
base_url = "http://127.0.0.1:{port}/v1"
env_key = "{key}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
stream_idle_timeout_ms = 21600000

[tools]
update_plan = {{ enabled = {plan} }}
experimental_request_user_input = {{ enabled = false }}

[features]
apps = false
plugins = false
remote_plugin = false
unbounded_connection_retries = false

[analytics]
enabled = false

[shell_environment_policy]
exclude = ["SEAMBENCH_*"]
"""


def find_codex(folder: Path | None = None) -> Path:
    """The installed program's folder, with `bin/codex` in it. Raises UserError where absent."""
    root = (folder or project_folder() / FOLDER) / "node_modules" / "@openai"
    found = sorted(root.glob("codex-*/vendor/*/bin/codex"))
    if not found:
        raise UserError(
            f"agent=codex: Codex CLI is not installed in {root.parent.parent}: make codex"
        )
    return found[0].parent.parent


def version_of(binary: Path) -> str:
    """The version that the package of a binary's folder says it has."""
    package = binary.parent.parent / "package.json"
    version = json.loads(package.read_text(encoding="utf-8"))["version"]
    return str(version).partition("-")[0]


@dataclass(frozen=True)
class Setting:
    """How Codex is run. model: which of the models that it knows it takes ours for."""

    binary: Path
    model: str
    plan: bool


class Process:
    """Codex at work in one workspace, one `codex exec` after the other, with one home folder.

    home: CODEX_HOME, made here and removed at the end. meet: a folder with a short path for the
    socket of the front.
    """

    def __init__(
        self, setting: Setting, sandbox: Sandbox, workspace: Path, home: Path, meet: Path
    ) -> None:
        self.setting = setting
        self.sandbox = sandbox
        self.workspace = workspace
        self.home = home
        self.front = Front()
        self.meet = meet / digest(str(home))[:12]
        self.boxed = sandbox.name == "bubblewrap"
        self._running: asyncio.Task[CommandResult] | None = None

    async def open(self, session: Session, instructions: str) -> None:
        """Make the home folder, with the files of an earlier session, and listen.

        instructions: what Codex tells its model beside its own.
        """
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)
        self.meet.mkdir(parents=True)
        await self.front.start(self.meet / "s" if self.boxed else None)
        text = _CONFIG.format(
            model=json.dumps(self.setting.model),
            window=NO_LIMIT,
            mode="danger-full-access" if self.boxed else "workspace-write",
            port=PORT if self.boxed else self.front.port,
            key=KEY,
            plan=str(self.setting.plan).lower(),
            instructions=json.dumps(instructions, ensure_ascii=False),
        )
        (self.home / "config.toml").write_text(text, encoding="utf-8")
        shutil.copy(Path(__file__).with_name("relay.py"), self.home / "relay.py")
        for path, content in session:
            target = self.home / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    def start(self, prompt: str, how: Sequence[str] = (), limit: int = NO_LIMIT) -> None:
        """Run `codex exec` with a prompt. how: e.g. ("resume", id). limit: tokens of reported usage
        from which Codex compacts before it goes on."""
        if self._running and not self._running.done():
            raise AgentError("codex is still at work on the last prompt", kind="busy")
        (self.home / "prompt.txt").write_text(prompt, encoding="utf-8")
        (self.home / "run.sh").write_text(self._script(how, limit), encoding="utf-8")
        # Relative: the plain sandbox takes /work in a command for the workspace.
        script = os.path.relpath(self.home / "run.sh", self.workspace)
        command = f"sh {INSIDE['home']}/run.sh" if self.boxed else f"sh {shlex.quote(script)}"
        binds = [(self.setting.binary, INSIDE["binary"]), (self.meet, INSIDE["front"])]
        self._running = asyncio.create_task(
            self.sandbox.run(
                command,
                self.workspace,
                timeout_s=LONGEST_S,
                extra_binds=binds if self.boxed else (),
                writable=[(self.home, INSIDE["home"])] if self.boxed else (),
            )
        )

    def _script(self, how: Sequence[str], limit: int) -> str:
        home = INSIDE["home"] if self.boxed else str(self.home)
        binary = INSIDE["binary"] if self.boxed else str(self.setting.binary)
        words = [f"{binary}/bin/codex", "exec", *how, "--skip-git-repo-check", "--json"]
        words += ["-c", f"model_auto_compact_token_limit={limit}", "-"]
        if self.boxed:
            relay = ["python", "-I", f"{home}/relay.py", f"{INSIDE['front']}/s", str(PORT)]
            words = [*relay, *words]
        home = shlex.quote(home)
        variables = f"CODEX_HOME={home} {KEY}={self.front.token}"
        return f"{variables} {shlex.join(words)} <{home}/prompt.txt >>{home}/events.jsonl\n"

    async def ended(self) -> CommandResult:
        """Wait for the end of what was started last. Raises SandboxError."""
        if self._running is None:
            raise AgentError("codex was not started", kind="idle")
        return await asyncio.shield(self._running)

    @property
    def at_work(self) -> bool:
        return self._running is not None and not self._running.done()

    def rollout(self, thread: str) -> Path | None:
        """The file to which Codex writes a session."""
        found = sorted(self.home.glob(f"sessions/*/*/*/rollout-*{thread}.jsonl"))
        return found[0] if found and thread else None

    async def close(self) -> None:
        """End Codex, whatever it does, and remove its home."""
        if self._running and not self._running.done():
            self._running.cancel()
            await asyncio.wait([self._running])
        await self.front.stop()
        shutil.rmtree(self.home, ignore_errors=True)
        with suppress(OSError):  # another trial's home is in it still
            self.home.parent.rmdir()
        shutil.rmtree(self.meet, ignore_errors=True)
