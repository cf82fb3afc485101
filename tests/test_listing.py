"""All strategies and add-ons: listed, documented, run once each; one's own by import path."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import Any

import pytest
import yaml
from fixtures import write_fixture
from runs import ROOT, records_only, run_here, seambench
from views import context, history

from harness.cli import main
from harness.errors import StrategyError
from harness.strategies import ADDONS, REGISTRY, make_strategy, options_of

README = ROOT / "harness" / "strategies" / "README.md"
TASK = "rename/tally_ledger"
KEEPING = ("long_mem", "combined", "tattoo", "protocol")
"""Strategies that keep something outside of the view."""
SMALL = ("rename/tiny", "rename/small")


def between(mark: str) -> str:
    """What the page has between two comments."""
    _, _, rest = README.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    found, _, _ = rest.partition(f"<!-- /{mark} -->")
    assert found.strip()
    return found


def example() -> str:
    return between("example").strip().removeprefix("```python\n").removesuffix("\n```") + "\n"


def records(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "records.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_page_has_the_table_that_the_command_prints() -> None:
    done = seambench("strategies", "--markdown")
    assert done.returncode == 0, done.stderr
    assert between("strategies").strip() == done.stdout.strip()


def test_the_list_names_everything_with_its_options() -> None:
    done = seambench("strategies")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for name, kind in {**REGISTRY, **ADDONS}.items():
        assert kind.keeps and kind.source
        row = next(n for n, line in enumerate(lines) if line.startswith(f"{name} "))
        assert kind.source in lines[row] and kind.keeps in lines[row]
        for option in options_of(kind):
            assert f"{option}=" in lines[row + 1]


def test_every_strategy_has_a_configuration_with_its_options() -> None:
    for name, kind in REGISTRY.items():
        path = ROOT / "configs" / "strategy" / f"{name}.yaml"
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert given == {"name": name, "options": options_of(kind)}


@pytest.mark.slow
def test_the_example_runs_from_outside(tmp_path: Path) -> None:
    assert len(example().splitlines()) <= 40
    (tmp_path / "my_strategies.py").write_text(example(), encoding="utf-8")
    done = records_only(
        "run",
        "strategy=own",
        f"strategy.import_path={tmp_path / 'my_strategies.py'}:LastWords",
        "+strategy.options.count=3",
        f"tasks.only=[{TASK}]",
        "study.controls=[]",
        "study.beside=[]",
        f"run.results={tmp_path}",
        "run.name=r",
    )
    assert done.returncode == 0, done.stderr
    (record,) = records(tmp_path / "r")
    assert record["status"] == "scored" and record["arm"] == "own[count=3]"
    log = tmp_path / "r" / "trials" / record["trial_id"] / "events.jsonl"
    events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    made = next(event for event in events if event["type"] == "compaction")
    assert made["artefacts"]["words"] and made["artefacts"]["summary"]


BROKEN = """from harness.strategies.base import Strategy

class NoCompact(Strategy):
    pass

class NotAsync(Strategy):
    def compact(self, history, ctx):
        return None

class TooFew(Strategy):
    async def compact(self, history):
        return None

class Alone:
    async def compact(self, history, ctx):
        return None

class Wants(Strategy):
    def __init__(self, size):
        self.size = size
    async def compact(self, history, ctx):
        return None

number = 3
"""


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("no_such_module:Mine", ("cannot be imported", "no_such_module")),
        ("{file}:NoSuch", ("no class 'NoSuch'",)),
        ("{file}:number", ("no class 'number'",)),
        ("{file}", ("file.py:Class",)),
        ("{folder}/gone.py:Mine", ("cannot be imported", "gone.py")),
        ("{folder}/syntax.py:Mine", ("cannot be imported", "SyntaxError")),
        ("{file}:NoCompact", ("compact is missing",)),
        ("{file}:NotAsync", ("compact is not async",)),
        ("{file}:TooFew", ("compact takes other arguments", "ctx")),
        ("{file}:Alone", ("recover is missing", "no subclass of harness.strategies.base.Strategy")),
        ("{file}:Wants", ("'size' must be given",)),
    ],
)
def test_an_import_path_that_does_not_do(path: str, parts: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "syntax.py").write_text("def (", encoding="utf-8")
    path = path.format(file=tmp_path / "own.py", folder=tmp_path)
    out = tmp_path / "out"
    refused(["strategy=own", f'strategy.import_path="{path}"', f"run.results={out}"], *parts)
    assert not out.exists()


@pytest.mark.parametrize(
    ("override", "parts"),
    [
        ("addons=[self_chek]", ("addons", "self_chek", "self_check")),
        ("addons=[{name:self_check,mod:ask_only}]", ("self_check", "mod", "mode")),
        ("addons=[{name:self_check,mode:ask}]", ("self_check.mode", "ask", "ask_only")),
        ("addons=[{name:idempotent_tools,x:1}]", ("idempotent_tools", "'x'", "takes none")),
        ("addons=[{mode:ask_only}]", ("addons", "name")),
        ("addons=[{name:pin,texts:a}]", ("pin.texts", "list of texts")),
        ("addons=[card_edit]", ("card_edit", "file=", "$EDITOR")),
        ("addons=[{name:card_edit,file:/no/such/file}]", ("card_edit.file", "/no/such/file")),
        ("study.variants=[{strategy:bare,addons:[nothing]}]", ("addons", "nothing")),
    ],
)
def test_an_add_on_that_does_not_do(override: str, parts: tuple[str, ...], tmp_path: Path) -> None:
    out = tmp_path / "out"
    refused(["strategy=engram", override, f"run.results={out}"], *parts)
    assert not out.exists()


def refused(overrides: list[str], *parts: str) -> None:
    """Exit code 2 and one line on stderr that holds all the parts."""
    with redirect_stderr(io.StringIO()) as stream:
        assert main(["run", f"tasks.only=[{TASK}]", *overrides]) == 2
    told = stream.getvalue().strip()
    assert len(told.splitlines()) == 1, told
    for part in parts:
        assert part in told


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Standard input is a terminal."""
    pty = pytest.importorskip("pty", reason="terminals as files are a thing of Unix")
    main, end = pty.openpty()
    with os.fdopen(end, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield
    os.close(main)


@pytest.mark.usefixtures("terminal")
async def test_a_person_edits_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "sed -i -e 's/^- MUST NOT: Never/- MUST NOT: never ever/'")
    strategy = make_strategy("engram", {}, addons=[{"name": "card_edit"}])
    made = await strategy.compact(history("history"), context(tmp_path))
    before, after = made.artefacts["card_before"], made.artefacts["card"]
    assert "MUST NOT: Never" in before
    assert after == before.replace("MUST NOT: Never", "MUST NOT: never ever")
    assert after in made.view[1]["content"]


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("editor", "kind"),
    [
        ("sed -i -e 's/^- MUST NOT: /- never: /'", "card"),
        ("sed -i -e 's/^## Files/## Fiels/'", "card"),
        ("false", "editor_failed"),
        ("no-such-editor", "editor_failed"),
    ],
)
async def test_an_edit_that_is_not_valid_is_named(
    editor: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor)
    strategy = make_strategy("engram", {}, addons=[{"name": "card_edit"}])
    with pytest.raises(StrategyError, match="card_edit") as error:
        await strategy.compact(history("history"), context(tmp_path))
    assert error.value.kind == kind


@pytest.mark.slow
@pytest.mark.parametrize("changed", [None, "harness/strategies/cliff.py"])
def test_a_registration_is_not_about_other_code(registered: Path, changed: str | None) -> None:
    with changes(registered, changed):
        done = seambench(*REGISTER, cwd=registered)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "part"),
    [
        ("harness/strategies/combined.py", "code"),
        ("harness/strategies/memory_store.py", "code"),  # imported by what it imports
        ("harness/extract/lex_rules.py", "code"),
        ("harness/strategies/pin.py", "code"),  # the add-on's
        ("memory.jsonl", "inputs"),
    ],
)
def test_a_registration_covers_all_code_of_an_arm(
    registered: Path, changed: str, part: str
) -> None:
    with changes(registered, changed):
        done = seambench(*REGISTER, cwd=registered)
    assert done.returncode == 2 and "changed since it was registered" in done.stderr
    assert part in done.stderr


REGISTER = (
    "register",
    "strategy=combined",
    "strategy.options.prefill=memory.jsonl",
    "addons=[pin]",
    f"tasks.only=[{TASK}]",
    "study.beside=[]",
    "run.name=r",
)


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with a registered study of one arm and its add-on."""
    root = tmp_path_factory.mktemp("registered")
    for part in ("harness", "analysis", "configs", "tasks"):
        shutil.copytree(ROOT / part, root / part)
    item = {"task": "other", "kind": "constraints", "text": "MUST: ship", "paths": []}
    (root / "memory.jsonl").write_text(json.dumps(item) + "\n", encoding="utf-8")
    done = seambench(*REGISTER, cwd=root)
    assert done.returncode == 0, done.stderr
    return root


@contextmanager
def changes(root: Path, name: str | None) -> Iterator[None]:
    """Within it a file of a folder has other bytes that mean the same. None changes nothing."""
    if name is None:
        yield
        return
    before = (root / name).read_bytes()
    (root / name).write_bytes(before + (b"\n# more\n" if name.endswith(".py") else before))
    yield
    (root / name).write_bytes(before)


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One grid: every strategy, and every add-on over bare, on two small tasks at one band."""
    folder = tmp_path_factory.mktemp("sweep")
    write_fixture(folder / "one")
    second = write_fixture(folder / "two", lambda data: data.update(id=SMALL[1]))
    second.rename(second.with_name("small"))
    corrections = folder / "corrections.yaml"
    corrections.write_text('- {add: "MUST: be kind", to: constraints}\n', encoding="utf-8")
    given = {"card_edit": f"{{name: card_edit, file: {corrections}}}"}
    variants = ",".join(f"{{strategy: bare, addons: [{given.get(a, a)}]}}" for a in ADDONS)
    arms = [f"strategy={','.join(REGISTRY)}", f"study.variants=[{variants}]", "study.controls=[]"]
    where = [f"tasks.path=[{folder / 'one'},{folder / 'two'}]", f"run.results={folder}"]
    asyncio.run(run_here(*arms, *where, "run.name=r", "seam.at=[mid]"))
    return folder / "r"


@pytest.mark.slow
def test_every_strategy_and_add_on_runs(sweep: Path) -> None:
    found = records(sweep)
    assert {(r["task"], r["status"]) for r in found} == {(task, "scored") for task in SMALL}
    assert len(found) == len(SMALL) * (len(REGISTRY) + len(ADDONS))
    assert {r["strategy"] for r in found} == set(REGISTRY)
    assert {a.partition("[")[0] for r in found for a in r["addons"]} == set(ADDONS)
    assert all(r["facts"] for r in found)
    for record in found:
        used = record["budget"]["used"]
        assert used.keys() == {"summary", "card", "injected", "files"}
        assert (used["files"] > 0) == (record["strategy"] in KEEPING)


@pytest.mark.slow
def test_every_record_of_the_sweep_verifies(sweep: Path) -> None:
    assert main(["verify", str(sweep)]) == 0


@pytest.mark.slow
def test_show_sets_what_was_established_against_the_view(
    sweep: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from harness.verbs.look import show

    for record in records(sweep):
        assert show(record["trial_id"], str(sweep)) == 0
        shown = capsys.readouterr().out
        kept = sum(fact["present"] for fact in record["facts"])
        assert f"{len(record['facts'])} facts, of which {kept} are in the first view" in shown
        lines = [line for line in shown.splitlines() if line.startswith(("  view ", "  LOST "))]
        assert len(lines) == len(record["facts"])
        assert sum(line.startswith("  view ") for line in lines) == kept
