"""The package away from its project, as `pip install .` lays it down: no configs, no tasks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from runs import ROOT, seambench


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for package in ("harness", "analysis"):
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return folder


def test_help_needs_no_project(site: Path) -> None:
    assert seambench("--help", cwd=site).returncode == 0


@pytest.mark.parametrize("verb", ["estimate", "validate", "doctor"])
def test_what_is_missing_is_told_in_one_line(site: Path, verb: str) -> None:
    done = seambench(verb, cwd=site)
    assert done.returncode == 2, (done.stdout, done.stderr)
    (told,) = done.stderr.splitlines()
    assert told.startswith(f"seambench: {site}/") and ": no " in told
