"""The rubric file and its lock: what is read, what counts, what is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
import yaml

from harness.config import config_folder
from harness.errors import UserError
from harness.rubric import Rubric, load_rubric
from harness.types import ITEMS

REGISTERED = config_folder() / "rubric" / "continuity_v1.yaml"


def locked(folder: Path, text: str) -> Path:
    """A rubric file with a lock for this text."""
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    found = hashlib.sha256(text.encode("utf-8")).hexdigest()
    path.with_suffix(".lock").write_text(f"{found}\n{text}", encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(UserError) as error:
        load_rubric(path)
    return str(error.value)


def test_the_registered_rubric_is_read_as_it_stands() -> None:
    text = REGISTERED.read_text(encoding="utf-8")
    given = yaml.safe_load(text)
    rubric = load_rubric(REGISTERED)
    assert rubric == Rubric(
        name=given["name"],
        version=given["version"],
        hash=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        window_turns=given["window_turns"],
        extended_writes=given["extended_writes"],
        extended_turns=given["extended_turns"],
        follow_turns=given["follow_turns"],
        weights={item: parts["weight"] for item, parts in given["items"].items()},
    )
    assert tuple(rubric.weights) == ITEMS


@pytest.mark.parametrize(
    ("item", "continued", "strict"),
    [
        (None, True, True),
        ("constraints", False, False),
        ("file_paths", False, False),
        ("subgoals", False, False),
        ("naming", True, False),
        ("no_reask", True, False),
        ("context", True, True),
    ],
)
def test_what_one_failed_item_does(item: str | None, continued: bool, strict: bool) -> None:
    rubric = load_rubric(REGISTERED)
    for other in (True, None):  # passed, or without an established fact
        passed = {name: False if name == item else other for name in ITEMS}
        assert rubric.continued(passed) is continued
        assert rubric.continued_strict(passed) is strict


def test_text_of_any_language_is_read_and_locked(tmp_path: Path) -> None:
    text = REGISTERED.read_text(encoding="utf-8") + "# 规则：一字不改。\n"
    assert load_rubric(locked(tmp_path, text)).hash != load_rubric(REGISTERED).hash


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("window_turns: 3", "window_turns: 4", "(-window_turns: 3 / +window_turns: 4)"),
        ("- two\n", "- three\n", "(-- two / +- three)"),
        ("+ six\n", "", "(-+ six)"),
        ("# 五\n", "# 五\n\n", "(+)"),
        ("eleven\n", "eleven", "(white space)"),
        ("- one\n- two\n+ six\n", "", "(-- one / -- two / -+ six)"),
        ("- one\n- two\n+ six\n", "1\n2\n3\n", "(-- one / -- two / -+ six / +1)"),
    ],
    ids=["a value", "a list", "a plus", "an empty line", "the end", "three lines", "many lines"],
)
def test_an_edit_is_told_by_its_lines(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = "window_turns: 3\n# 五\n- one\n- two\n+ six\neleven\n"
    path = locked(tmp_path, text)
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert refusal(path) == (
        f"{path}: edited since it was registered {told}; undo the change, or register it as a "
        "new version under a new name"
    )


def test_a_hash_that_does_not_fit_its_text_is_refused(tmp_path: Path) -> None:
    path = locked(tmp_path, REGISTERED.read_text(encoding="utf-8"))
    lock = path.with_suffix(".lock")
    lock.write_text("0" + lock.read_text(encoding="utf-8")[1:], encoding="utf-8")
    assert "edited since it was registered" in refusal(path)


@pytest.mark.parametrize("suffix", [".yaml", ".lock"])
def test_a_file_that_is_not_there(tmp_path: Path, suffix: str) -> None:
    path = locked(tmp_path, REGISTERED.read_text(encoding="utf-8"))
    gone = path.with_suffix(suffix)
    gone.unlink()
    assert refusal(path) == f"{gone}: cannot be read: No such file or directory"


@pytest.mark.parametrize("suffix", [".yaml", ".lock"])
def test_a_file_that_is_not_utf8(tmp_path: Path, suffix: str) -> None:
    path = locked(tmp_path, REGISTERED.read_text(encoding="utf-8"))
    path.with_suffix(suffix).write_bytes("# café\n".encode("latin-1"))
    assert refusal(path) == f"{path.with_suffix(suffix)}: cannot be read: not UTF-8"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("window_turns: 3", "windowturns: 3", "window_turns: Field required"),
        ("window_turns: 3", "window_turns: 3\nturns: 3", "turns: Extra inputs"),
        ("window_turns: 3", "window_turns: 0", "window_turns: "),
        ("follow_turns: 15", "follow_turns: many", "follow_turns: "),
        (
            "  naming:",
            "  namign:",
            f"expected {', '.join(ITEMS)}; found constraints, file_paths, subgoals, namign,",
        ),
        (
            "  naming: {weight: medium, kinds: [naming]}\n",
            "",
            "found constraints, file_paths, subgoals, no_reask, context",
        ),
        ("weight: none", "weight: nil", "items.context.weight: "),
        ("weight: none", "wait: none", "items.context.weight: "),
        ("name: continuity", "name: [", "line 2"),
    ],
)
def test_a_registered_file_that_is_no_rubric(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = REGISTERED.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path = locked(tmp_path, text.replace(old, new))
    refused = refusal(path)
    assert refused.startswith(f"{path}: not a rubric: ")
    assert told in refused
    assert "\n" not in refused
