"""Gives the tests the store that the command line names."""

from pathlib import Path

import pytest

from wings.settings import LIVE


def pytest_addoption(parser):
    parser.addoption("--store", default=str(LIVE), help="TOML file of the store")


@pytest.fixture
def rows(request):
    from wings.store import load_rows

    return load_rows(Path(request.config.getoption("--store")))
