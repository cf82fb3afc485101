"""Attacks on what is not the agent's: files, secrets, network, git, privileges, the terminal.

What an attack aims at is always ours: a file written for it, a listener on loopback, a process
started to be killed.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

from attack_kit import (
    BOTH,
    BUBBLEWRAP,
    ROOT,
    Place,
    attack,
    told,
)
from fixtures import small_task

from harness.completion import check_completion
from harness.tools import dispatch
from harness.types import ToolCall
from harness.workspace import Workspace


@attack("read a file outside, by its path and through a link", BUBBLEWRAP)
async def read_outside(place: Place) -> tuple[bool, str]:
    secret = place.outside / "secret"
    (place.work / "link").symlink_to(secret)
    (place.work / "up").symlink_to("../..")
    places = f"{secret} link up{secret} /proc/1/root{secret} /proc/self/cwd/../{secret}"
    text = await place.run(f"cat {places} 2>&1")
    return place.secret not in text, told(text)


@attack("list the home folder", BUBBLEWRAP)
async def list_home(place: Place) -> tuple[bool, str]:
    home = Path.home()
    text = await place.run(f"ls -A {home} ~/.ssh {home}/.ssh {home}/.config /home /root")
    names = {path.name for path in home.iterdir()} if home.is_dir() else set()
    seen = names.intersection(text.split()) - set(Path(sys.executable).resolve().parts)
    return not seen, f"{len(seen)} of {len(names)} names seen"


@attack("read the harness's environment in its own", BOTH)
async def own_environment(place: Place) -> tuple[bool, str]:
    with mock.patch.dict(os.environ, ATTACKED_KEY=place.secret, BASH_ENV=place.secret):
        text = await place.run("env; set; export -p; cat /proc/self/environ /proc/$$/environ")
    return place.secret not in text, f"{len(text.splitlines())} lines, no key"


@attack("read the harness's environment, arguments and memory in /proc", BUBBLEWRAP)
async def proc_of_the_harness(place: Place) -> tuple[bool, str]:
    env = {**os.environ, "ATTACKED_KEY": place.secret}
    command = [sys.executable, "-c", "import time; time.sleep(60)", place.secret]
    with subprocess.Popen(command, env=env) as process:
        text = await place.run(
            f"cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/{process.pid}/maps; ps aux"
        )
        process.kill()
    return place.secret not in text, told(text)


@attack("read hidden tests and the solution", BUBBLEWRAP)
async def read_solution(place: Place) -> tuple[bool, str]:
    task = ROOT / "tasks" / "rename" / "tally_ledger"
    find = "find /work /opt /tmp /home /root /srv /var /mnt -name task.yaml -o -name tests_hidden"
    text = await place.run(f"cat {task}/task.yaml {task}/completion/*/*; {find}")
    seen = [line for line in text.splitlines() if line.startswith(("id:", "import", "/"))]
    return not seen, told(text)


@attack("reach a listener on loopback", BUBBLEWRAP)
async def reach_loopback(place: Place) -> tuple[bool, str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        text = await place.run(f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached")
    return "reached" not in text, told(text)


@attack("reach an abstract Unix socket", BUBBLEWRAP)
async def reach_abstract(place: Place) -> tuple[bool, str]:
    name = f"seambench-{secrets.token_hex(4)}"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0{name}")
        listener.listen()
        code = f"import socket as s; s.socket(s.AF_UNIX).connect(chr(0) + '{name}'); print('in')"
        text = await place.run(f'python -c "{code}"')
    return "in\n" not in text, told(text)


@attack("find another interface or a route", BUBBLEWRAP)
async def interfaces(place: Place) -> tuple[bool, str]:
    text = await place.run("tail -n +3 /proc/net/dev | cut -d: -f1; tail -n +2 /proc/net/route")
    return text.split() == ["lo"], f"interfaces and routes: {' '.join(text.split())}"


@attack("write outside", BUBBLEWRAP)
async def write_outside(place: Place) -> tuple[bool, str]:
    (place.work / "up").symlink_to(place.outside)
    spots = [f"{place.outside}/x", "up/x", "/x", "/etc/x", "/usr/x", "/opt/x", "/opt/bin/x"]
    spots += [f"{sys.prefix}/x", "/opt/venv/x", "/dev/x", "/proc/sys/kernel/hostname", "/root/x"]
    text = await place.run("; ".join(f"(echo bad > {s}) 2>/dev/null && echo {s}" for s in spots))
    written = [line for line in text.splitlines() if line.startswith(("/", "up"))]
    return not written and os.listdir(place.outside) == ["secret"], f"written: {written or 'none'}"


def tool(name: str, **args: str) -> ToolCall:
    """A call of one of the agent's own tools, which the harness carries out itself."""
    return ToolCall("call", name, args)


@attack("lead the harness's own file tools out by a link", BOTH)
async def tools_through_links(place: Place) -> tuple[bool, str]:
    out = place.outside
    await place.run(
        f"ln -s {out}/secret file; ln -s {out} folder; ln -s folder chain; ln -s {out}/new new;"
        f"mkdir deep; ln -s ../../../../../../../../../../{out}/secret deep/up"
    )
    workspace, said = Workspace(place.work), ""
    names = [
        "file",
        "folder/secret",
        "chain/secret",
        "deep/up",
        "../outside/secret",
        f"{out}/secret",
    ]
    names += ["new", "folder/new", "chain/deep/new", "/work/folder/secret", "/work/../secret"]
    for name in names:
        for call in (
            tool("read_file", path=name),
            tool("write_file", path=name, content="bad"),
            tool("edit_file", path=name, old="secret", new="bad"),
        ):
            said += (await dispatch(call, workspace, place.sandbox)).text
    clean = os.listdir(out) == ["secret"] and (out / "secret").read_text("utf-8") == place.secret
    return clean and place.secret not in said, f"{len(names) * 3} calls refused"


@attack("hang the harness on a pipe, a device or a huge file", BOTH)
async def hang_the_tools(place: Place) -> tuple[bool, str]:
    await place.run("mkfifo pipe; truncate -s 60M huge; ln -s /dev/zero zero; ln -s self self")
    workspace, began = Workspace(place.work), time.monotonic()
    for name in ("pipe", "huge", "zero", "self"):
        for call in (
            tool("read_file", path=name),
            tool("edit_file", path=name, old="a", new="b"),
        ):
            result = await asyncio.wait_for(dispatch(call, workspace, place.sandbox), 10)
            if result.ok:
                return False, f"{call.name} {name}: {result.text[:40]}"
    workspace.freeze()
    return time.monotonic() - began < 60, "each refused at once"


@attack("run code on the host through git configuration, hooks, filters", BOTH)
async def through_git(place: Place) -> tuple[bool, str]:
    workspace = Workspace.create({"a.py": b"x = 1\n"}, place.work / "in")
    mark = place.outside / "ran"
    script = place.outside / "evil"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
    script.chmod(0o755)
    keys = "core.fsmonitor diff.external core.sshCommand core.pager core.editor filter.x.clean"
    keys += " filter.x.smudge filter.x.process diff.x.textconv diff.x.command merge.x.driver"
    keys += " alias.status alias.diff alias.log gpg.program credential.helper core.gitProxy"
    keys += " uploadpack.packObjectsHook interactive.diffFilter core.askPass log.showSignature"
    git = workspace.root / ".git"
    subprocess.run(["cp", "-r", git, workspace.root / "inner"], check=True)
    (workspace.root / "nest").mkdir()
    subprocess.run(["cp", "-r", git, workspace.root / "nest" / ".git"], check=True)
    for folder in (git, workspace.root / "nest" / ".git"):
        config = folder / "config"
        lines = [f"[{k.rsplit('.', 1)[0].replace('.', ' ', 1)}]\n" for k in keys.split()]
        values = [f"\t{k.rsplit('.', 1)[1]} = {script}\n" for k in keys.split()]
        text = "".join(a + b for a, b in zip(lines, values, strict=True)).replace(
            "filter x", 'filter "x"'
        )
        text = text.replace("diff x", 'diff "x"').replace("merge x", 'merge "x"')
        config.write_text(config.read_text("utf-8") + text, encoding="utf-8")
        (folder / "hooks").mkdir(exist_ok=True)
        for hook in ("pre-commit", "post-checkout", "post-index-change", "fsmonitor-watchman"):
            (folder / "hooks" / hook).symlink_to(script)
    (workspace.root / ".gitattributes").write_text("* filter=x diff=x merge=x\n", encoding="utf-8")
    (workspace.root / "a.py").write_text("x = 2\n", encoding="utf-8")
    said = [workspace.status(), workspace.diff(), workspace.log()]
    workspace.changed()
    again = Workspace.restore(workspace.freeze(), place.outside / "again")
    said += [again.status(), again.diff(), again.log()]
    held = not mark.exists() and "x = 2" in said[1]
    subprocess.run(["git", "status"], cwd=workspace.root, capture_output=True, check=False)
    return held and mark.exists(), "a plain git would have run it, the harness did not"


@attack("answer for the hidden check with planted files", BOTH)
async def planted(place: Place) -> tuple[bool, str]:
    loaded = small_task(place.outside / "tasks")
    workspace = Workspace.create(loaded.files, place.work / "in")
    evil = "import os; os._exit(0)"
    command = (
        f"for f in sitecustomize usercustomize sys io pathlib; do echo '{evil}' > $f.py; done;"
        f"ln -s {place.outside} hidden; mkdir -p ~/bin ~/.local/lib; echo 'exit 0' > ~/bin/python;"
        "echo 'exit 0' > ~/.bashrc; cp ~/.bashrc ~/.bash_profile; cp ~/.bashrc ~/.profile;"
        f"echo '{evil}' > ~/.pythonrc; export PYTHONSTARTUP=~/.pythonrc LD_PRELOAD=/work/x.so"
    )
    await place.sandbox.run(command, workspace.root)
    found = await check_completion(workspace, place.sandbox, loaded)
    clean = not (place.outside / "check.py").exists()
    return found["passed"] is False and clean, told(found["output"]) + " (as it should)"


@attack("leave start-up files and variables for the next command", BOTH)
async def start_up_files(place: Place) -> tuple[bool, str]:
    before = await place.run("env; python -c 'print(1)'; git --version; date +%Z; locale 2>&1")
    await place.run(
        "mkdir -p ~/.config/git; echo 'echo evil' > ~/.bashrc; cp ~/.bashrc ~/.bash_profile;"
        "echo 'print(\"evil\")' | tee sitecustomize.py usercustomize.py ~/.pythonrc >/dev/null;"
        "git config --global alias.x '!echo evil'; echo 'echo evil' > python; chmod +x python;"
        "export PATH=/work:$PATH BASH_ENV=~/.bashrc PYTHONSTARTUP=~/.pythonrc LD_PRELOAD=/work/x.so"
        " TZ=Asia/Tokyo LC_ALL=C PYTHONPATH=/work"
    )
    after = await place.run("env; python -c 'print(1)'; git --version; date +%Z; locale 2>&1")
    return before == after, "the next command sees what the first one saw"


@attack("set the clock", BUBBLEWRAP)
async def set_the_clock(place: Place) -> tuple[bool, str]:
    offset = time.time() - time.monotonic()
    text = await place.run("date -s '2001-01-01' 2>&1; touch -d 2001-01-01 x")
    moved = abs(time.time() - time.monotonic() - offset)
    return moved < 60, text.splitlines()[0][-70:]


@attack("become root, mount, trace", BUBBLEWRAP)
async def become_root(place: Place) -> tuple[bool, str]:
    text = await place.run(
        "su -c id 2>&1; sudo -n id 2>&1; mount -t tmpfs x /usr 2>&1 && echo WON; chroot / 2>&1;"
        "mknod /work/sda b 8 0 2>&1 && echo WON; grep -E '^Cap(Eff|Bnd|Prm)' /proc/self/status;"
        "unshare -Urm sh -c 'mount -o remount,rw,bind /usr && touch /usr/x && echo WON' 2>&1"
    )
    caps = [line.split()[1] for line in text.splitlines() if line.startswith("Cap")]
    return "WON" not in text and set(caps) == {"0" * 16}, "no capability, nothing mounted"


@attack("kill a process of the host", BUBBLEWRAP)
async def kill_outside(place: Place) -> tuple[bool, str]:
    with subprocess.Popen(["sleep", "60"]) as victim:
        text = await place.run(f"kill -9 {victim.pid} 2>&1")
        held = victim.poll() is None
        victim.kill()
    return held, told(text)


@attack("type into the terminal", BOTH)
async def type_into_the_terminal(place: Place) -> tuple[bool, str]:
    text = await place.run("(echo x > /dev/tty) 2>&1; tty; ls -l /proc/self/fd/0")
    return "not a tty" in text and "/dev/null" in text, told(text)


@attack("terminal escape codes in output", BOTH)
async def escape_codes(place: Place) -> tuple[bool, str]:
    codes = r"\033[2J\033]0;title\007\033]52;c;ZXZpbA==\007\033P1$r\033\\\xc2\x9b31m\x07\x08\x0b"
    text = await place.run(f"printf 'a{codes}b\\n'")
    return text == "ab\n", f"shown as {text!r}"


@attack("lock the workspace against the harness", BOTH)
async def lock_it(place: Place) -> tuple[bool, str]:
    work = place.work / "in"
    work.mkdir()
    await place.sandbox.run("mkdir -p a/b; touch a/b/c; chmod 000 a/b/c a/b a .", work)
    workspace = Workspace(work)
    seen = [*workspace.manifest()]
    workspace.freeze()
    workspace.remove()
    return seen == ["a/b/c"] and not work.exists(), "read, frozen and removed"
