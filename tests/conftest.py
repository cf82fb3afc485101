"""Options of the test suite."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# The same examples at every run, and no deadline: timings belong in benchmarks.
settings.register_profile(
    "quick",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("quick")

pytest_plugins = ("servers",)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="write tests/golden/<strategy>.json anew from what the strategies do now",
    )
