"""The hidden check of a finished task, run where nothing that an agent planted can answer for it.

The check runs in a clean copy: the agent's files without its .git and without compiled code (which
Python would take for the source), the fixture's own settings of pytest, no module that stands in
the way of an installed one, and the hidden files never laid down through a link. It does run the
agent's code: what that code does on purpose to end the check early is not caught.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from harness.folder import IGNORED, clear
from harness.sandbox import Sandbox
from harness.tasks import LoadedTask
from harness.text import glob_match
from harness.workspace import Workspace

TIMEOUT_S = 120
_SETTINGS = ("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml")
_SETTINGS += ("tox.ini", "setup.cfg", "pyproject.toml")
_STARTED = {"pytest", "_pytest", "pluggy", "py", "iniconfig", "packaging", "pygments"}
_STARTED |= {"sitecustomize", "usercustomize", *sys.stdlib_module_names}


async def check_completion(
    workspace: Workspace, sandbox: Sandbox, loaded: LoadedTask
) -> dict[str, Any]:
    """{passed, output} of the hidden check on a copy of the workspace.

    passed: null where the language's runtime is missing (exit 127). Raises WorkspaceOverflow,
    WorkspaceError and SandboxError.
    """
    completion = loaded.task.completion
    assert completion is not None
    root = workspace.root.with_name(f"{workspace.root.name}-check")
    copy = Workspace.restore(workspace.freeze(), root)
    try:
        _clean(copy, loaded)
        for path, data in loaded.hidden.items():
            copy.lay(path, data)
        result = await sandbox.run(completion.run, root, timeout_s=TIMEOUT_S)
    finally:
        copy.remove()
    passed = None if result.exit_code == 127 else result.exit_code == 0
    return {"passed": passed, "output": result.text}


def _clean(copy: Workspace, loaded: LoadedTask) -> None:
    root = copy.root
    clear(root / ".git")
    for folder, names, _ in os.walk(root):
        for name in IGNORED.intersection(names):
            clear(Path(folder, name))
            names.remove(name)
    tops = {PurePosixPath(path).parts[0] for path in loaded.files}
    for name in {PurePosixPath(path).parts[0] for path in loaded.hidden} - tops:
        clear(root / name)
    for name in os.listdir(root):
        if name.split(".")[0] in _STARTED and name not in tops:
            clear(root / name)
    theirs = [path for subgoal in loaded.task.subgoals for path in subgoal.files]
    _restore_settings(copy, loaded, [*loaded.task.files.editable, *theirs])


def _restore_settings(copy: Workspace, loaded: LoadedTask, theirs: Sequence[str]) -> None:
    """pytest's settings as the fixture has them, those aside that are the agent's to change."""
    for name in _SETTINGS:
        if glob_match(name, theirs):
            continue
        clear(copy.root / name)
        if name in loaded.files:
            copy.lay(name, loaded.files[name])
