"""Attacks on the harness and its machine, each really carried out: `make attacks` prints them."""

from __future__ import annotations

import asyncio
import sys

import attacks_access  # noqa: F401
import attacks_floods  # noqa: F401
from attack_kit import ATTACKS, BOTH, carry_out

from harness.sandbox import find_sandbox


def main() -> int:
    """Print the table; 1 where an attack succeeded that a backend promises to withstand."""
    lost = 0
    for prefer in BOTH:
        sandbox = find_sandbox("auto" if prefer == "bubblewrap" else prefer)
        if sandbox.name != prefer:
            print(f"{prefer}: not tried here: {sandbox.reason}")
            continue
        for chosen in ATTACKS:
            if prefer not in chosen.backends:
                print(f"{prefer:10}  -    {chosen.name}: not promised by this backend")
                continue
            held, outcome = asyncio.run(carry_out(chosen, sandbox))
            lost += not held
            word = "held" if held else "LOST"
            print(f"{prefer:10}  {word} {chosen.name}: {outcome}", flush=True)
    print(f"{lost} attacks succeeded" if lost else "no attack succeeded")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
