"""Finding, loading and hashing fixtures; every mistake is told with its file and key."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from fixtures import Data, fixture_data, named, small_task, write_fixture

from harness.errors import TaskError
from harness.tasks import MAX_FILE_BYTES, find_tasks, load_task, parse_task


def refused(place: Path, change: Callable[[Data], Any]) -> str:
    """The one line with which a changed fixture is refused; it must name the file."""
    folder = write_fixture(place, change)
    with pytest.raises(TaskError) as error:
        load_task(folder)
    text = str(error.value)
    assert text.startswith(f"{folder / 'task.yaml'}: ")
    assert "\n" not in text
    return text.removeprefix(f"{folder / 'task.yaml'}: ")


def test_the_small_fixture_loads(tmp_path: Path) -> None:
    loaded = small_task(tmp_path)
    assert loaded.task.id == "rename/tiny"
    assert loaded.files["pkg/alpha.py"].startswith(b"def runAlpha")
    assert list(loaded.hidden) == ["hidden/check.py"]
    assert loaded.task.slip("alpha", "snake").edits[0].new == "def goAlpha"
    assert loaded.task.slip("alpha", "short") is None


@pytest.mark.parametrize(
    ("change", "key", "near"),
    [
        (lambda d: d.update(famly="rename"), "famly", "family"),
        (lambda d: d["request"].update(evidense=[]), "request.evidense", "evidence"),
        (lambda d: d["facts"][0].update(sais="x"), "facts.0.sais", "says"),
        (lambda d: d["facts"][0]["check"].update(wen={}), "facts.0.check.wen", "when"),
        (lambda d: d["subgoals"][0]["edits"][0].update(olld="x"), "subgoals.0.edits.0.olld", "old"),
        (lambda d: d["subgoals"][2]["redo"].update(seen={}), "subgoals.2.redo.seen", "seen_when"),
        (lambda d: d["files"].update(decoy={}), "files.decoy", "decoys"),
        (lambda d: d["slips"][0].update(reply="x"), "slips.0.reply", "replace"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest(
    tmp_path: Path, change: Callable[[Data], None], key: str, near: str
) -> None:
    told = refused(tmp_path, change)
    found, _, nearest = told.partition(": unknown key; nearest: ")
    assert found == key
    assert near in nearest.split(", ")


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["slips"][3]["edits"][0].update(olld="x"),
        lambda d: d["alternatives"][0]["turns"][0][0].update(olld="x"),
    ],
)
def test_the_nearest_key_of_a_nested_edit(tmp_path: Path, change: Callable[[Data], None]) -> None:
    assert "old" in refused(tmp_path, change).partition("nearest: ")[2].split(", ")


@pytest.mark.parametrize(
    "edit",
    [
        {"path": "pkg/alpha.py", "old": "a"},
        {"path": "pkg/alpha.py"},
        {"old": "a", "new": "b"},
        {"path": "pkg/alpha.py", "old": "a", "new": "b", "content": "c"},
        {"run": "make", "path": "pkg/alpha.py"},
        {},
    ],
)
def test_an_edit_has_one_of_its_shapes(tmp_path: Path, edit: Data) -> None:
    told = refused(tmp_path, lambda d: d["subgoals"][0].update(edits=[edit]))
    assert told.startswith("subgoals.0.edits.0: ")
    assert "expected {path, old, new}, {path, content} or {run}" in told


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda d: d["facts"][1].update(evidence=["ok", "(open"]), "facts.1.evidence.1"),
        (lambda d: d["request"]["asks"][0].update(match=["(open"]), "request.asks.0.match.0"),
        (lambda d: d["subgoals"][0].update(done_when={"has": "(open"}), "subgoals.0.done_when"),
    ],
)
def test_a_bad_pattern(tmp_path: Path, change: Callable[[Data], None], key: str) -> None:
    told = refused(tmp_path, change)
    assert told.startswith(f"{key}: ")
    assert "'(open'" in told


def test_an_unknown_predicate(tmp_path: Path) -> None:
    told = refused(tmp_path, lambda d: d["subgoals"][3].update(done_when={"contains": "x"}))
    assert told.startswith("subgoals.3.done_when: ")
    assert "'contains'" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda d: d["facts"][0].update(stated_in="widht"), "facts.no_print.stated_in: no 'widht'"),
        (lambda d: d["facts"][0].update(supersedes="x"), "facts.no_print.supersedes: no 'x'"),
        (lambda d: d["remarks"][0].update(after="x"), "remarks.width.after: no 'x'"),
        (lambda d: d["detours"][0].update(after="x"), "detours.after: no 'x'"),
        (lambda d: d["subgoals"][0].update(needs=["x"]), "subgoals.alpha.needs: no 'x'"),
        (lambda d: d["slips"][0].update(fact="x"), "slips.fact: no 'x'"),
        (lambda d: d["slips"][0].update(subgoals=["alpha", "x"]), "slips.subgoal: no 'x'"),
        (lambda d: d["slips"][3].update(subgoal="x"), "slips.subgoal: no 'x'"),
        (lambda d: d["checks"].update(fact="x"), "checks.fact: no 'x'"),
        (lambda d: d["alternatives"][0].update(after="x"), "alternatives.other_name.after: no 'x'"),
    ],
)
def test_a_dangling_reference(tmp_path: Path, change: Callable[[Data], None], told: str) -> None:
    assert refused(tmp_path, change).startswith(told)


def test_a_dangling_reference_names_the_nearest(tmp_path: Path) -> None:
    told = refused(tmp_path, lambda d: d["facts"][0].update(stated_in="widht"))
    assert told.endswith("nearest: width")


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["subgoals"].append(d["subgoals"][0]),
        lambda d: d["facts"].append({**d["facts"][0], "id": "alpha"}),
        lambda d: d["remarks"].append({"id": "alpha", "text": "again"}),
    ],
)
def test_an_id_that_is_used_twice(tmp_path: Path, change: Callable[[Data], None]) -> None:
    assert refused(tmp_path, change) == "the id 'alpha' is used twice"


def with_steps(source: str) -> Callable[[Data], None]:
    def change(data: Data) -> None:
        edit = {"path": "tests/test_names.py", "content_from": source}
        named(data, "subgoals", "test")["edits"] = [edit]

    return change


def test_content_from_a_file(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path, with_steps("steps/测试.py"))
    (folder / "steps").mkdir()
    (folder / "steps" / "测试.py").write_text("宽 = 1\n", encoding="utf-8")
    (edit,) = load_task(folder).task.subgoal("test").edits
    assert edit.content == "宽 = 1\n"


@pytest.mark.parametrize("source", ["../secret.py", "/etc/hostname", "steps/missing.py", "steps"])
def test_content_from_outside_or_nowhere(tmp_path: Path, source: str) -> None:
    (tmp_path / "rename").mkdir()
    (tmp_path / "rename" / "secret.py").write_text("x\n", encoding="utf-8")
    assert refused(tmp_path, with_steps(source)).startswith("content_from: no file ")


def test_content_from_through_a_link_out(tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("x\n", encoding="utf-8")
    folder = write_fixture(tmp_path, with_steps("steps/a.py"))
    (folder / "steps").mkdir()
    (folder / "steps" / "a.py").symlink_to(tmp_path / "secret.py")
    with pytest.raises(TaskError, match="content_from: no file"):
        load_task(folder)


def test_content_from_a_file_that_is_no_text(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path, with_steps("steps/a.bin"))
    (folder / "steps").mkdir()
    (folder / "steps" / "a.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TaskError):
        load_task(folder)


def test_content_from_keeps_line_ends(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path, with_steps("steps/a.py"))
    (folder / "steps").mkdir()
    (folder / "steps" / "a.py").write_bytes(b"a\r\nb\r\n")
    assert load_task(folder).task.subgoal("test").edits[0].content == "a\r\nb\r\n"


def test_content_and_content_from_together(tmp_path: Path) -> None:
    def change(data: Data) -> None:
        with_steps("steps/a.py")(data)
        named(data, "subgoals", "test")["edits"][0]["content"] = "b\n"

    folder = write_fixture(tmp_path, change)
    (folder / "steps").mkdir()
    (folder / "steps" / "a.py").write_text("a\n", encoding="utf-8")
    with pytest.raises(TaskError):
        load_task(folder)


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    plain = load_task(folder)
    path = folder / "task.yaml"
    for data in (
        b"\xef\xbb\xbf" + path.read_bytes(),
        path.read_bytes().replace(b"\n", b"\r\n"),
    ):
        path.write_bytes(data)
        assert load_task(folder).hash == plain.hash


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"id: \xff\xfe", "cannot be read as UTF-8 text"),
        (b"id: [a", "not YAML"),
        (b"a: b: c", "not YAML"),
        (b"- a", "expected a mapping of keys, found list"),
        (b"", "expected a mapping of keys, found NoneType"),
    ],
)
def test_a_file_that_is_no_task(tmp_path: Path, data: bytes, told: str) -> None:
    folder = write_fixture(tmp_path)
    (folder / "task.yaml").write_bytes(data)
    with pytest.raises(TaskError) as error:
        load_task(folder)
    assert str(error.value).startswith(f"{folder / 'task.yaml'}: {told}")


@pytest.mark.parametrize("below", ["repo", "completion"])
def test_a_link_out_of_its_folder(tmp_path: Path, below: str) -> None:
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    folder = write_fixture(tmp_path)
    (folder / below / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(TaskError, match="a link out of its folder") as error:
        load_task(folder)
    assert str(folder / below / "link") in str(error.value)


def test_a_link_within_its_folder_is_its_content(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    (folder / "repo" / "link.py").symlink_to(folder / "repo" / "pkg" / "alpha.py")
    files = load_task(folder).files
    assert files["link.py"] == files["pkg/alpha.py"]


@pytest.mark.parametrize("target", ["pkg", "nowhere"])
def test_a_link_to_a_folder_or_to_nothing(tmp_path: Path, target: str) -> None:
    folder = write_fixture(tmp_path)
    (folder / "repo" / "link").symlink_to(folder / "repo" / target)
    with pytest.raises(TaskError, match="link"):
        load_task(folder)


def test_a_file_over_the_limit(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    big = folder / "repo" / "big.bin"
    big.write_bytes(b"x" * MAX_FILE_BYTES)
    assert len(load_task(folder).files["big.bin"]) == MAX_FILE_BYTES
    big.write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    with pytest.raises(TaskError, match=f"{re.escape(str(big))}: larger than {MAX_FILE_BYTES}"):
        load_task(folder)


def test_names_and_contents_beyond_ascii(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    (folder / "repo" / "文档").mkdir()
    (folder / "repo" / "文档" / "café 说明.md").write_text("宽度：79\n", encoding="utf-8")
    (folder / "repo" / "latin.txt").write_bytes(b"caf\xe9")
    loaded = load_task(folder)
    assert loaded.texts["文档/café 说明.md"] == "宽度：79\n"
    assert loaded.files["latin.txt"] == b"caf\xe9"
    assert loaded.texts["latin.txt"] == "caf\ufffd"


def test_what_python_leaves_behind_is_not_part_of_it(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    before = load_task(folder).hash
    (folder / "repo" / "pkg" / "__pycache__").mkdir()
    (folder / "repo" / "pkg" / "__pycache__" / "alpha.pyc").write_bytes(b"x")
    assert load_task(folder).hash == before


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda d: d.update(id="rename/other"), "rename/other"),
        (lambda d: d.update(family="bugfix"), "rename/tiny"),
    ],
)
def test_id_and_family_are_the_folders(
    tmp_path: Path, change: Callable[[Data], None], found: str
) -> None:
    told = refused(tmp_path, change)
    assert told == f"id: expected rename/tiny (the folder), found {found}"


def test_a_fixture_without_a_codebase(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    shutil.rmtree(folder / "repo")
    with pytest.raises(TaskError, match="expected a codebase"):
        load_task(folder)


def test_tasks_are_found_by_family_and_name(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path / "a")
    (tmp_path / "a" / "rename" / "notes").mkdir()
    assert find_tasks([tmp_path / "a"]) == {"rename/tiny": folder}


def test_the_same_id_in_two_folders(tmp_path: Path) -> None:
    write_fixture(tmp_path / "a")
    second = write_fixture(tmp_path / "b")
    with pytest.raises(TaskError) as error:
        find_tasks([tmp_path / "a", tmp_path / "b"])
    assert str(second) in str(error.value)
    assert str(tmp_path / "a") in str(error.value)
    assert "rename/tiny" in str(error.value)


def test_the_hash_changes_with_any_byte_of_a_file(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    hashes = [load_task(folder).hash]
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "task.yaml"):
        data = path.read_bytes()
        path.write_bytes(bytes([data[0] ^ 1]) + data[1:])
        hashes.append(load_task(folder).hash)
        path.write_bytes(data)
    assert len(hashes) > 5
    assert len(set(hashes)) == len(hashes)
    assert load_task(folder).hash == hashes[0]


def test_the_hash_changes_with_names_and_keys(tmp_path: Path) -> None:
    plain = small_task(tmp_path / "a").hash
    assert small_task(tmp_path / "b").hash == plain
    renamed = write_fixture(tmp_path / "c")
    (renamed / "repo" / "check.sh").rename(renamed / "repo" / "test.sh")
    moved = write_fixture(tmp_path / "d")
    (moved / "repo" / "check.sh").rename(moved / "completion" / "check.sh")
    said = write_fixture(tmp_path / "e", lambda d: d["facts"][0].update(says="Never print."))
    hashes = [plain, *(load_task(folder).hash for folder in (renamed, moved, said))]
    assert len(set(hashes)) == 4


def test_the_hash_does_not_depend_on_layout(tmp_path: Path) -> None:
    folder = write_fixture(tmp_path)
    plain = load_task(folder).hash
    text = yaml.safe_dump(fixture_data(), sort_keys=True, default_flow_style=True)
    (folder / "task.yaml").write_text("# a remark\n" + text, encoding="utf-8")
    assert load_task(folder).hash == plain


def test_parse_task_names_where_it_came_from() -> None:
    with pytest.raises(TaskError, match=r"^stored task: codebase: "):
        parse_task({k: v for k, v in fixture_data().items() if k != "codebase"}, "stored task")


def archive(files: dict[str, str]) -> bytes:
    """A source distribution as bytes."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"thing-1.0/{name}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


@pytest.fixture
def sdist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """thing==1.0 in the cache, so that no registry is asked."""
    monkeypatch.setenv("SEAMBENCH_CACHE", str(tmp_path / "cache"))
    data = archive({"src/thing.py": "x = 1\n", "pkg/alpha.py": "old\n", "docs/a.md": "a\n"})
    kept = tmp_path / "cache" / "sdists" / "thing-1.0.tar.gz"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(data)
    return data


def with_source(sha256: str, keep: list[str], sdist: str = "thing==1.0") -> Callable[[Data], None]:
    return lambda data: data.update(source={"sdist": sdist, "sha256": sha256, "keep": keep})


def test_a_source_lies_under_the_repo(tmp_path: Path, sdist: bytes) -> None:
    sha = hashlib.sha256(sdist).hexdigest()
    loaded = small_task(tmp_path, with_source(sha, ["src/*.py", "pkg/*.py"]))
    assert loaded.texts["src/thing.py"] == "x = 1\n"
    assert loaded.texts["pkg/alpha.py"].startswith("def runAlpha")
    assert "docs/a.md" not in loaded.files


def test_a_source_with_another_hash(tmp_path: Path, sdist: bytes) -> None:
    folder = write_fixture(tmp_path, with_source("0" * 64, ["**"]))
    with pytest.raises(TaskError) as error:
        load_task(folder)
    assert "thing-1.0.tar.gz has sha256 " + hashlib.sha256(sdist).hexdigest() in str(error.value)
    assert f"expected {'0' * 64}" in str(error.value)


def test_a_source_that_keeps_nothing(tmp_path: Path, sdist: bytes) -> None:
    folder = write_fixture(tmp_path, with_source(hashlib.sha256(sdist).hexdigest(), ["lib/*"]))
    with pytest.raises(TaskError, match=r"source.keep: .* matches no file of thing==1.0"):
        load_task(folder)


def test_a_source_without_a_version(tmp_path: Path, sdist: bytes) -> None:
    folder = write_fixture(tmp_path, with_source("0" * 64, ["**"], sdist="thing"))
    with pytest.raises(TaskError, match="expected name==version, found 'thing'"):
        load_task(folder)
