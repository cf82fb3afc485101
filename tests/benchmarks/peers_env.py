"""The other harnesses of `make peers`, at pinned versions in an environment of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".peers"
PYTHON = FOLDER / "bin" / "python"
PINS = ("inspect-ai==0.3.285", "mini-swe-agent==2.4.6", "litellm==1.110.2", "openai==3.57.0")
_VERSIONS = """
import importlib.metadata, json, sys
print(json.dumps({name: importlib.metadata.version(name) for name in sys.argv[1:]}))
"""


def install() -> str | None:
    """Make `.peers/`, unless it is there with these versions. What went wrong, None if nothing."""
    ready = FOLDER / ".ready"
    if ready.is_file() and ready.read_text(encoding="utf-8") == "\n".join(PINS):
        return None
    print(f"installing {', '.join(PINS)} into {FOLDER.name}/", flush=True)
    beside = Path(sys.executable).with_name("uv")
    uv = shutil.which("uv") or (str(beside) if beside.exists() else None)
    steps = [[sys.executable, "-m", "venv", "--clear", str(FOLDER)]]
    if uv:
        steps[0].insert(3, "--without-pip")
        start = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(PYTHON)]
    else:
        start = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for step in [*steps, [*start, *PINS]]:
        done = subprocess.run(step, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            lines = (done.stderr or done.stdout).strip().splitlines() or [" ".join(step)]
            return f"not installed: {lines[-1]}"
    ready.write_text("\n".join(PINS), encoding="utf-8")
    return None


def variables(home: Path) -> dict[str, str]:
    """The environment of all sides: offline, quiet, and away from the user's own settings."""
    given = {
        "HOME": str(home),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "MSWEA_SILENT_STARTUP": "1",
        "MSWEA_GLOBAL_CONFIG_DIR": str(home / "mini"),
    }
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        given[f"XDG_{name}_HOME"] = str(home / name.lower())
    # inspect-ai counts with tiktoken, whose tables litellm carries.
    for tables in FOLDER.glob("lib/python*/site-packages/litellm/litellm_core_utils/tokenizers"):
        given["TIKTOKEN_CACHE_DIR"] = str(tables)
    return {**os.environ, **given}


def versions() -> dict[str, str]:
    """What is installed there, by distribution."""
    names = [pin.partition("==")[0] for pin in PINS]
    command = [PYTHON, "-c", _VERSIONS, *names]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
