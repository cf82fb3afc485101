"""Mutation testing: small faults in the modules that judge, one by one. Do the tests see them?

    python tests/mutation/run.py [PATTERN ...]        e.g. 'harness.checks.*'

mutmut (from the package registry, into `.mutants/`) makes the faults, here called mutants, in a
copy of the project, and runs for each the tests that reach its function. What survives stands in
survivors.yaml beside this file, with the reason that somebody wrote for it. Exit code 1 where a
module is below LEAST, or a survivor has no reason. An interrupted run goes on where it stopped.

Not mutated: constants of modules, types, text in triple quotes, and the property `Window.change`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import yaml

from harness.text import digest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".mutants"
TOOL = FOLDER / "tool"
MUTMUT = "mutmut==3.8.1"
SURVIVORS = Path(__file__).with_name("survivors.yaml")
LEAST = 0.85
MODULES = ("harness/scorer.py", "harness/checks.py", "harness/rubric.py", "analysis/stats.py")
TESTS = (
    *("scorer", "scorer_evidence", "checks", "checks_hits", "rubric"),
    *("analysis_stats", "analysis_stats_edges"),
)
SLOW = ("what_cannot_be_parsed", "clusters_matter", "few_tasks_of_any_outcome")
"""Tests that take seconds and reach many functions; the others find what they find."""
COPIED = ("harness", "analysis", "configs", "tests")
SETTINGS = f"""[tool.mutmut]
source_paths = ["harness", "analysis"]
only_mutate = {json.dumps(MODULES)}
also_copy = ["configs"]
pytest_add_cli_args = ["-p", "no:cacheprovider", "-k", "not ({" or ".join(SLOW)})"]
pytest_add_cli_args_test_selection = {json.dumps([f"tests/test_{name}.py" for name in TESTS])}
timeout_constant = 5.0
track_dependencies = false
use_git_change_detection = false
use_setproctitle = false
"""
STATUS = {0: "survived", 1: "killed", 3: "killed", 5: "untested", 33: "untested"}
STATUS |= dict.fromkeys((24, -24, 36, 152, 255), "timeout")
HEAD = """\
# What `make mutants` left alive, and why. Written by run.py: `why` is kept, the rest made anew.
# "same: ..." says that no caller can tell the mutant from the code.
"""


@dataclass(frozen=True)
class Mutant:
    """One fault, by the tool's name. status: killed, timeout, survived, untested."""

    module: str
    name: str
    status: str

    @property
    def found(self) -> bool:
        return self.status in ("killed", "timeout")

    def is_one_of(self, patterns: Sequence[str]) -> bool:
        return any(fnmatchcase(self.name, pattern) for pattern in patterns)

    @property
    def function(self) -> str:
        """`name` without the tool's marks: x_f__mutmut_1 is f, xǁCǁf__mutmut_1 is C.f."""
        mangled = self.name.rpartition(".")[2].partition("__mutmut_")[0]
        return mangled.removeprefix("x").strip("ǁ").replace("ǁ", ".").removeprefix("_")


def main(patterns: Sequence[str]) -> int:
    install()
    work = prepare()
    command = [sys.executable, "-m", "mutmut", "run", *patterns]
    paths = {"PYTHONPATH": str(TOOL)}
    done = subprocess.run(command, cwd=work, env={**os.environ, **paths}, stdout=sys.stderr)
    if done.returncode:
        print("mutmut stopped, see above; the same command goes on from there", file=sys.stderr)
        return 1
    mutants = [mutant for mutant in read(work) if not patterns or mutant.is_one_of(patterns)]
    left = tell(work, [mutant for mutant in mutants if not mutant.found])
    lines, low = table(mutants, left)
    if patterns:
        print(_dump(left))
    else:
        figures = "".join(f"# {line}\n" for line in lines)
        SURVIVORS.write_text(HEAD + figures + _dump(left), encoding="utf-8")
    open_ = sum(not entry["why"] for entry in left)
    print("\n".join(lines))
    print(f"least share of a module: {LEAST:.0%}; survivors without a reason: {open_}")
    return int((low and not patterns) or open_ > 0)


def install() -> None:
    """mutmut and what it needs, beside the environment of the project."""
    ready = TOOL / ".ready"
    if ready.is_file() and ready.read_text(encoding="utf-8") == MUTMUT:
        return
    shutil.rmtree(TOOL, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*command, "--target", str(TOOL), MUTMUT]).returncode:
        raise SystemExit(f"{MUTMUT} could not be installed, see above")
    ready.write_text(MUTMUT, encoding="utf-8")


def prepare() -> Path:
    """A copy of what is mutated and tested, in a folder named by its content.

    Caches are taken off: mutmut leaves decorated functions alone.
    """
    texts = {"pyproject.toml": SETTINGS.encode("utf-8")}
    for path in (path for part in COPIED for path in sorted((ROOT / part).rglob("*"))):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and "__pycache__" not in name and SURVIVORS.parent not in path.parents:
            texts[name] = path.read_bytes()
    for name in MODULES:
        texts[name] = re.sub(rb"(?m)^@lru_cache.*\n", b"", texts[name])
    work = FOLDER / digest({name: digest(text) for name, text in texts.items()})[:12]
    if not work.exists():
        for old in (path for path in FOLDER.iterdir() if path != TOOL):
            shutil.rmtree(old)
        new = FOLDER / "new"
        for name, text in texts.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(text)
        new.rename(work)
    return work


def read(work: Path) -> list[Mutant]:
    """All mutants with what became of them."""
    mutants = []
    for module in MODULES:
        stored = json.loads((work / "mutants" / f"{module}.meta").read_text(encoding="utf-8"))
        for name, code in stored["exit_code_by_key"].items():
            mutants.append(Mutant(module, name, STATUS.get(code, f"exit code {code}")))
    return mutants


def tell(work: Path, left: Sequence[Mutant]) -> list[Mapping[str, str]]:
    """The survivors as they are stored: where, the lines before and after, and the reason."""
    stored = yaml.safe_load(SURVIVORS.read_text(encoding="utf-8")) if SURVIVORS.exists() else None
    reasons = {_key(entry): entry["why"] for entry in stored or []}
    sys.path.append(str(TOOL))
    told = []
    with contextlib.chdir(work):
        from mutmut.mutation.diff_apply import get_diff_for_mutant

        for mutant in left:
            lines = get_diff_for_mutant(mutant.name, path=mutant.module).splitlines()[2:]
            entry = {"where": f"{mutant.module} {mutant.function}"}
            for mark, side in (("-", "old"), ("+", "new")):
                entry[side] = "\n".join(x[1:].strip() for x in lines if x.startswith(mark))
            if mutant.status != "survived":
                entry["status"] = mutant.status
            told.append({**entry, "why": reasons.get(_key(entry), "")})
    return told


def _key(entry: Mapping[str, str]) -> tuple[str, str, str]:
    return entry["where"], entry["old"], entry["new"]


def _dump(entries: Sequence[Mapping[str, str]]) -> str:
    return yaml.safe_dump(list(entries), allow_unicode=True, sort_keys=False, width=100)


def table(mutants: Sequence[Mutant], left: Sequence[Mapping[str, str]]) -> tuple[list[str], bool]:
    """Lines to print, and whether too few mutants of a module were found."""
    lines = [
        f"{'module':<20}{'mutants':>9}{'found':>7}{'timeout':>9}{'left':>6}{'same':>6}{'share':>8}"
    ]
    low = False
    for module in dict.fromkeys(mutant.module for mutant in mutants):
        status = Counter(mutant.status for mutant in mutants if mutant.module == module)
        entries = [entry for entry in left if entry["where"].startswith(f"{module} ")]
        same = sum(entry["why"].startswith("same:") for entry in entries)
        total, found = status.total(), status.total() - len(entries)
        low = low or found / total < LEAST
        numbers = f"{total:>9}{found:>7}{status['timeout']:>9}{len(entries):>6}{same:>6}"
        lines.append(f"{module:<20}{numbers}{found / total:>8.1%}")
    return lines, low


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
