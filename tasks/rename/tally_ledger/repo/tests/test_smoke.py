"""The quick look: every command gets through the book that is open."""

import io

import pytest

from tally.cli import COMMANDS, main


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_command_ends_well(command):
    assert main([command], out=io.StringIO()) == 0


def test_books_add_up_to_nothing():
    out = io.StringIO()
    main(["balance"], out=out)
    assert out.getvalue().splitlines()[-1].split() == ["sum", "0.00"]
