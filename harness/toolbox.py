"""What commands find in a sandbox beside the workspace: an interpreter, pytest, a neutral /etc."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .scratch import Scratch

VENV, PYTHON = "/opt/venv", "/opt/python"
"""Where text shows the virtual environment (bubblewrap also mounts it there) and its Python."""

_PYTEST = """#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import sys

import pytest

sys.exit(pytest.main())
"""
_ETC = {
    "passwd": "root:x:0:0::/root:/bin/sh\nagent:x:1000:1000::/tmp:/bin/bash\n",
    "group": "root:x:0:\nagent:x:1000:\n",
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
}
# Only what programs need to start: the rest of /etc can hold secrets that everyone may read.
_ETC_COPIED = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "mime.types")


def in_venv() -> bool:
    return sys.prefix != sys.base_prefix


def interpreter() -> list[str]:
    """Folders of the interpreter behind `sys.executable` that lie outside /usr."""
    real = Path(sys.executable).resolve().parent.parent
    found = {sys.base_prefix, str(Path(sys.base_prefix).resolve()), str(real)}
    return sorted(p for p in found if p != "/usr" and not p.startswith("/usr/"))


class Toolbox:
    """A folder, gone with the sandbox, of `python` and `pytest` for PATH and a neutral /etc."""

    def __init__(self, python: str) -> None:
        self._folder = Scratch()
        root = Path(self._folder.name)
        self.bin, self.etc = root / "bin", root / "etc"
        self.bin.mkdir()
        self.etc.mkdir()
        for folder in (root, self.bin, self.etc):
            folder.chmod(0o755)  # whatever the umask: the sandbox's uid reads them
        (self.bin / "pytest").write_text(_PYTEST.format(python=python), encoding="utf-8")
        (self.bin / "pytest").chmod(0o755)
        if not in_venv():  # a link would hide a virtual environment from its interpreter
            for name in ("python", "python3"):
                (self.bin / name).symlink_to(python)
        for name, text in _ETC.items():
            (self.etc / name).write_text(text, encoding="utf-8")
            (self.etc / name).chmod(0o644)
        for name in _ETC_COPIED:  # one mount of copies is quicker than one mount for each
            source = Path("/etc", name)
            if source.is_dir():
                shutil.copytree(source, self.etc / name, symlinks=True)
            elif source.is_file():
                shutil.copy(source, self.etc / name)
