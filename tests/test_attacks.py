"""Every attack of the table, in each sandbox that promises to withstand it."""

from __future__ import annotations

import pytest
from attack_kit import Attack, carry_out
from attacks import ATTACKS

from harness.build import sandbox_here
from harness.sandbox import find_sandbox

AUTO = sandbox_here("auto")
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
    # Only what is no boundary could have been changed by the attack before.
    sandbox = AUTO if backend == AUTO.name else find_sandbox(backend)
    held, outcome = await carry_out(attack, sandbox)
    assert held, outcome
