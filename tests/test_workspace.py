"""Workspaces on a real disk with real git, among them hostile ones."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from harness.errors import WorkspaceError
from harness.workspace import BIG, Workspace

FILES = {
    "a.py": b"x = 1\n",
    "src/b.py": "名 = 2\n".encode(),
    "run.sh": b"#!/bin/sh\necho hi\n",
    ".gitignore": b"*.log\n",
    "kept.log": b"tracked although ignored\n",
}


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def work(tmp_path: Path) -> Workspace:
    return Workspace.create(FILES, tmp_path / "work")


def git(root: Path, *args: str) -> str:
    """git as an agent runs it, with an identity."""
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "safe.directory=*"]
    done = subprocess.run(
        ["git", *identity, *args], cwd=root, capture_output=True, check=True, text=True
    )
    return done.stdout


def test_create_commits_everything(work: Workspace) -> None:
    assert work.manifest() == {path: sha(content) for path, content in sorted(FILES.items())}
    assert work.status() == ""
    assert work.diff() == ""
    assert work.changed() == {}
    assert git(work.root, "ls-files").split() == sorted(FILES)
    assert git(work.root, "log", "--format=%an %ae %aI %s").strip() == (
        "agent agent@example.invalid 2025-01-01T00:00:00+00:00 Initial commit"
    )
    assert os.access(work.root / "run.sh", os.X_OK)
    assert not os.access(work.root / "a.py", os.X_OK)


def test_the_commit_depends_on_the_content_alone(
    work: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "home" / ".gitconfig"
    config.parent.mkdir()
    config.write_text("[user]\nname=me\n[core]\nautocrlf=true\n[init]\ndefaultBranch=x\n", "utf-8")
    monkeypatch.setenv("HOME", str(config.parent))
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody")
    backwards = dict(reversed(FILES.items()))
    again = Workspace.create(backwards, tmp_path / "again")
    assert again.log() == work.log()
    assert again.freeze() == work.freeze()
    other = Workspace.create({**FILES, "a.py": b"x = 2\n"}, tmp_path / "other")
    assert other.log() != work.log()


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", ".git/hooks/x", ""])
def test_create_refuses_paths_that_lead_out(path: str, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="not a path inside"):
        Workspace.create({path: b""}, tmp_path / "w")


def test_a_folder_in_use_is_refused(work: Workspace) -> None:
    with pytest.raises(WorkspaceError, match="not empty"):
        Workspace.create(FILES, work.root)
    with pytest.raises(WorkspaceError, match="not empty"):
        Workspace.restore(work.freeze(), work.root)


def test_changed_names_what_differs(work: Workspace) -> None:
    (work.root / "a.py").write_bytes(b"x = 2\n")
    (work.root / "src" / "new.py").write_bytes(b"new")
    (work.root / "run.sh").unlink()
    (work.root / "kept.log").touch()
    for ignored in ("__pycache__", "src/.pytest_cache"):
        (work.root / ignored).mkdir()
        (work.root / ignored / "x").write_bytes(b"x")
    assert work.changed() == {
        "a.py": sha(b"x = 2\n"),
        "run.sh": None,
        "src/new.py": sha(b"new"),
    }
    assert work.changed() == {}
    assert sorted(work.manifest()) == [".gitignore", "a.py", "kept.log", "src/b.py", "src/new.py"]


def test_a_change_cannot_be_hidden_by_its_time(work: Workspace) -> None:
    target = work.root / "a.py"
    before = target.stat()
    target.write_bytes(b"x = 9\n")
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert work.changed() == {"a.py": sha(b"x = 9\n")}


def test_manifest_leaves_the_next_change_report_alone(work: Workspace) -> None:
    (work.root / "a.py").write_bytes(b"x = 2\n")
    assert work.manifest()["a.py"] == sha(b"x = 2\n")
    assert list(work.changed()) == ["a.py"]


def test_freeze_and_restore(work: Workspace, tmp_path: Path) -> None:
    (work.root / "a.py").write_bytes(b"x = 2\n")
    git(work.root, "add", "a.py")
    (work.root / "src" / "b.py").unlink()
    (work.root / "empty").mkdir()
    (work.root / "link").symlink_to("src")
    frozen = work.freeze()
    again = Workspace.restore(frozen, tmp_path / "again")
    assert again.manifest() == work.manifest()
    assert again.status() == work.status() == "M  a.py\n D src/b.py\n?? link\n"
    assert git(again.root, "status", "--short") == work.status()
    assert (again.root / "empty").is_dir()
    assert os.access(again.root / "run.sh", os.X_OK)
    assert again.changed() == {}
    assert again.freeze() == frozen


def test_freeze_does_not_depend_on_times_or_place(work: Workspace, tmp_path: Path) -> None:
    frozen = work.freeze()
    for path in work.root.rglob("*"):
        if path.is_file():
            os.utime(path, (1, 1))
    git(work.root, "status")  # rewrites the stat data of the index
    assert work.freeze() == frozen


def test_an_index_of_many_names_survives(tmp_path: Path) -> None:
    files = {f"d/{'n' * length}.txt": b"%d" % length for length in range(1, 40)}
    work = Workspace.create(files, tmp_path / "a")
    again = Workspace.restore(work.freeze(), tmp_path / "b")
    assert git(again.root, "status", "--short") == ""
    assert "error" not in git(again.root, "fsck", "--full")
    (again.root / "d" / "n.txt").write_bytes(b"2")
    assert git(again.root, "status", "--short") == " M d/n.txt\n"


def test_a_damaged_snapshot_is_refused(work: Workspace, tmp_path: Path) -> None:
    frozen = work.freeze()
    with pytest.raises(WorkspaceError, match="cannot restore"):
        Workspace.restore(frozen[: len(frozen) // 2], tmp_path / "b")
    with pytest.raises(WorkspaceError, match="cannot restore"):
        Workspace.restore(b"not a snapshot", tmp_path / "c")


@pytest.mark.parametrize("name", ["/abs", "../up", "link/through", "..", "a/../../up"])
def test_a_snapshot_cannot_write_outside(name: str, tmp_path: Path) -> None:
    raw = io.BytesIO()
    outside = tmp_path / "outside"
    outside.mkdir()
    with tarfile.open(fileobj=raw, mode="w") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, str(outside)
        archive.addfile(link)
        member = tarfile.TarInfo(name)
        member.size = 3
        archive.addfile(member, io.BytesIO(b"bad"))
    with pytest.raises(WorkspaceError, match="leads out"):
        Workspace.restore(gzip.compress(raw.getvalue()), tmp_path / "w")
    assert list(outside.iterdir()) == []
    assert not (tmp_path / "up").exists()


def test_resolve_accepts_the_ways_to_name_a_file(work: Workspace) -> None:
    (work.root / "inner").symlink_to("src")
    for path in ("src/b.py", "./src/b.py", "/work/src/b.py", "src/../src/b.py", "inner/b.py"):
        assert work.resolve(path) == work.root / "src" / "b.py"
        assert work.read(path) == FILES["src/b.py"]
    assert work.resolve("/work") == work.resolve(".") == work.resolve("/work/") == work.root
    assert work.resolve("not/yet/there.py") == work.root / "not" / "yet" / "there.py"


@pytest.mark.parametrize(
    "path",
    (
        *("", "/etc/passwd", "..", "../x", "src/../../x", "/work/../etc/passwd", "/workshop/x"),
        *("a\0b", "out", "out/x", "to_file", "loop", "/work//etc/passwd", "x" * 300 + "/../../y"),
    ),
)
def test_resolve_refuses_what_leads_out(path: str, work: Workspace, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (work.root / "out").symlink_to(tmp_path)
    (work.root / "to_file").symlink_to("../secret")
    (work.root / "loop").symlink_to("loop")
    with pytest.raises(WorkspaceError):
        work.read(path)


def test_links_out_are_recorded_as_links(work: Workspace, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("what nobody may know", encoding="utf-8")
    (work.root / "out").symlink_to(secret)
    (work.root / "folder").symlink_to(tmp_path)
    assert work.changed() == {
        "folder": sha(b"link:" + os.fsencode(tmp_path)),
        "out": sha(b"link:" + os.fsencode(secret)),
    }
    again = Workspace.restore(work.freeze(), tmp_path / "again")
    assert os.readlink(again.root / "out") == str(secret)
    assert b"what nobody may know" not in gzip.decompress(work.freeze())


def test_special_and_hostile_files(work: Workspace, tmp_path: Path) -> None:
    os.mkfifo(work.root / "pipe")
    (work.root / "link").symlink_to("/etc/passwd")
    bad_name = os.fsencode(work.root) + b"/\xff\xfe.txt"
    Path(os.fsdecode(bad_name)).write_bytes(b"odd")
    (work.root / "big").write_bytes(b"\0" * (BIG + 1))
    (work.root / "locked").mkdir()
    (work.root / "locked" / "x").write_bytes(b"x")
    (work.root / "locked" / "x").chmod(0)
    (work.root / "locked").chmod(0)
    changed = work.changed()
    assert sorted(changed) == ["\\xff\\xfe.txt", "big", "link", "locked/x"]
    assert changed["\\xff\\xfe.txt"] == sha(b"odd")
    assert changed == {name: sha(work.content(name)) for name in changed}
    assert work.content("link") == b"link:/etc/passwd"
    assert work.content("big").startswith(f"big:{BIG + 1}:".encode())
    with pytest.raises(WorkspaceError, match=str(BIG)):
        work.read("big")
    with pytest.raises(WorkspaceError, match="not a file"):
        work.read("pipe")
    again = Workspace.restore(work.freeze(), tmp_path / "again")
    assert again.manifest() == work.manifest()


@pytest.mark.parametrize(
    ("path", "kind"),
    [("none.py", "missing"), ("a.py/x", "missing"), ("src", "not_a_file"), ("../x", "path")],
)
def test_read_says_what_is_wrong(path: str, kind: str, work: Workspace) -> None:
    with pytest.raises(WorkspaceError) as caught:
        work.read(path)
    assert caught.value.kind == kind


def test_status_diff_and_log(work: Workspace) -> None:
    (work.root / "a.py").write_bytes(b"x = 2\n")
    (work.root / "new.py").write_bytes(b"")
    assert work.status() == " M a.py\n?? new.py\n"
    assert "-x = 1\n+x = 2\n" in work.diff()
    git(work.root, "commit", "-qam", "second")
    assert [line.split(" ", 1)[1] for line in work.log().splitlines()] == [
        "second",
        "Initial commit",
    ]
    git(work.root, "pack-refs", "--all")
    git(work.root, "gc", "-q")
    assert len(work.log().splitlines()) == 2


def test_a_hostile_repository_runs_nothing(work: Workspace, tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    evil = tmp_path / "evil.sh"
    evil.write_text(f"#!/bin/sh\necho $0 >> {proof}\ncat\n", encoding="utf-8")
    evil.chmod(0o755)
    settings = {
        "core.fsmonitor": evil,
        "core.hooksPath": tmp_path,
        "core.pager": evil,
        "core.sshCommand": evil,
        "core.editor": evil,
        "diff.external": evil,
        "diff.evil.command": evil,
        "diff.evil.textconv": evil,
        "filter.evil.clean": evil,
        "filter.evil.smudge": evil,
        "filter.evil.process": evil,
        "gpg.program": evil,
        "log.showSignature": "true",
        "alias.status": f"!{evil}",
        "core.worktree": tmp_path,
    }
    for key, value in settings.items():
        git(work.root, "config", key, str(value))
    (work.root / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    hooks = work.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-index-change", "fsmonitor-watchman", "pre-commit"):
        (hooks / hook).symlink_to(evil)
    (work.root / "a.py").write_bytes(b"x = 2\n")
    assert work.status() == " M a.py\n?? .gitattributes\n"
    assert "+x = 2" in work.diff()
    assert "Initial commit" in work.log()
    Workspace.restore(work.freeze(), tmp_path / "again").status()
    assert not proof.exists()


@pytest.mark.parametrize("damage", ["removed", "file", "link", "head", "objects", "alternates"])
def test_a_broken_repository_is_said_to_be_one(
    damage: str, work: Workspace, tmp_path: Path
) -> None:
    repository = work.root / ".git"
    moved = tmp_path / "moved"
    if damage in ("removed", "file", "link"):
        repository.rename(moved)
    if damage == "file":
        repository.write_text(f"gitdir: {moved}\n", encoding="utf-8")
    if damage == "link":
        repository.symlink_to(moved)
    if damage == "head":
        (repository / "HEAD").write_text("ref: refs/../../../x\n", encoding="utf-8")
    if damage == "objects":
        (repository / "objects").rename(moved)
        (repository / "objects").symlink_to(moved)
    if damage == "alternates":
        (repository / "objects" / "info").mkdir(exist_ok=True)
        (repository / "objects" / "info" / "alternates").write_text("/x\n", encoding="utf-8")
    for text in (work.status(), work.diff(), work.log()):
        assert text == "no git repository\n"
    assert Workspace.restore(work.freeze(), tmp_path / "again").manifest() == work.manifest()
