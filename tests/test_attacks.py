"""Every attack of the table, in each sandbox that promises to withstand it."""

from __future__ import annotations

import pytest
from attack_kit import Attack, carry_out
from attacks import ATTACKS

from harness.sandbox import find_sandbox

AUTO = find_sandbox()
CASES = [
    pytest.param(
        attack,
        backend,
        id=f"{backend}: {attack.name}",
        marks=pytest.mark.skipif(
            backend == "bubblewrap" and AUTO.name != backend, reason=AUTO.reason or ""
        ),
    )
    for attack in ATTACKS
    for backend in attack.backends
]


@pytest.mark.slow
@pytest.mark.parametrize(("attack", "backend"), CASES)
async def test_no_attack_succeeds(attack: Attack, backend: str) -> None:
    held, outcome = await carry_out(attack, find_sandbox(backend))
    assert held, outcome
