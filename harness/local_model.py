"""A model of one's own machine: llama.cpp's server as a child, from the run's start to its end.

The server is that of llama-cpp-python (the extra `local`), or the command in `model.server`.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from harness.errors import UserError
from harness.settings import Config, ModelConfig

PYTHON_SERVER = "llama_cpp.server"
HERE = ("local", "processes")
POLL_S = 0.2
END_S = 5.0


def pinned(config: Config) -> Config:
    """The configuration with the name and SHA-256 of every local model's file.

    Raises UserError where a file is missing or not GGUF, or no server can be found.
    """
    model = _pinned(config.model, "model")
    others = {role: model and _pinned(model, role) for role, model in _others(config).items()}
    found = [each for each in (model, *others.values()) if each and each.kind == "local"]
    if found and config.executor.kind not in HERE:
        raise UserError(
            f"executor.kind: {config.executor.kind} cannot reach a local model; expected "
            f"{' or '.join(HERE)}, or serve it where the nodes reach it and use model=endpoint"
        )
    return replace(config, model=model, **others)


def _others(config: Config) -> dict[str, ModelConfig | None]:
    return {"summariser": config.summariser, "extractor": config.extractor}


def _pinned(model: ModelConfig, role: str) -> ModelConfig:
    if model.kind != "local":
        return model
    path = _gguf(str(model.path), role)
    command(model, role, 0)
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return replace(model, path=str(path), name=model.name or path.stem, sha256=sha256)


def _gguf(given: str, role: str) -> Path:
    path = Path(given).expanduser().absolute()
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        told = f"{role}.path: {path} cannot be read ({error.strerror}); name a GGUF file"
        raise UserError(told) from None
    if magic != b"GGUF":
        raise UserError(f"{role}.path: {path} is not a GGUF file (it begins with {magic!r})")
    return path


def command(model: ModelConfig, role: str, port: int) -> list[str]:
    """The command line of a local model's server. Raises UserError where it cannot be found."""
    if model.server is None:
        if importlib.util.find_spec("llama_cpp") is None:
            raise UserError(
                f"{role}=local needs llama.cpp: pip install 'seambench[local]', or "
                f"{role}.server=llama-server for a binary of your own"
            )
        given = [sys.executable, "-m", PYTHON_SERVER]
    else:
        given = shlex.split(model.server)
    if not given or shutil.which(given[0]) is None:
        raise UserError(f"{role}.server: no command {given[0] if given else ''!r} here")
    in_python = PYTHON_SERVER in given
    options = {
        "--model": str(model.path),
        "--model_alias" if in_python else "--alias": model.name,
        "--host": "127.0.0.1",
        "--port": str(port),
    }
    if model.window:
        options["--n_ctx" if in_python else "--ctx-size"] = str(model.window)
    return [*given, *(part for option in options.items() for part in option)]


@contextlib.contextmanager
def serving(config: Config, warn: Callable[[str], None]) -> Iterator[Config]:
    """The configuration with the addresses of its local models, which are served meanwhile.

    warn is told where a server ended by itself. Raises UserError where one does not start.
    """
    with contextlib.ExitStack() as stack:

        def served(model: ModelConfig, role: str) -> ModelConfig:
            if model.kind != "local":
                return model
            return replace(model, base_url=stack.enter_context(_served(model, role, warn)))

        model = served(config.model, "model")
        others = {role: model and served(model, role) for role, model in _others(config).items()}
        yield replace(config, model=model, **others)


@contextlib.contextmanager
def _served(model: ModelConfig, role: str, warn: Callable[[str], None]) -> Iterator[str]:
    """Base URL of a model's server, which runs until the end of the context."""
    port = _free_port()
    url = f"http://127.0.0.1:{port}/v1"
    with tempfile.TemporaryFile() as log:
        child = subprocess.Popen(
            command(model, role, port),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C ends the run first, and the run ends it
            preexec_fn=_end_with_parent,
        )
        try:
            _await_health(child, url, log, f"{role}={model.name}", model.start_s)
            yield url
        finally:
            if child.poll() is not None:
                warn(f"{role}={model.name}: {_ended(child, log)}")
            _end(child)


def _end_with_parent() -> None:
    """In the child: not to stay behind a run that was killed (Linux: PR_SET_PDEATHSIG)."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        libc.prctl(1, signal.SIGKILL)


def _await_health(
    child: subprocess.Popen[bytes], url: str, log: BinaryIO, name: str, limit_s: float
) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    last = time.monotonic() + limit_s
    while True:
        if child.poll() is not None:
            raise UserError(f"{name}: {_ended(child, log)}")
        try:
            with opener.open(f"{url}/models", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > last:
                told = f"{name}: the server did not answer within {limit_s:g} s (start_s)"
                raise UserError(f"{told}; its last line: {_last_line(log)}") from None
        time.sleep(POLL_S)


def _ended(child: subprocess.Popen[bytes], log: BinaryIO) -> str:
    return f"the server ended with code {child.returncode}; its last line: {_last_line(log)}"


def _last_line(log: BinaryIO) -> str:
    log.seek(0)
    lines = log.read().decode("utf-8", "replace").split("\n")
    return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "none")


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(END_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
