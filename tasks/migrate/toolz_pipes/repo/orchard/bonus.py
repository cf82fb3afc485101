"""The bonus at the end of the harvest."""

from orchard.flow import Flow
from orchard.ledger import Season

QUICK = 55


def quick_bins(rows):
    """Number of bins by picker that were filled at more than QUICK kilograms an hour."""
    return Flow(rows).where(lambda row: row["kg"] > QUICK * row["hours"]).counts("picker")


def best_bins(rows, n: int):
    """The n heaviest bins, heaviest first."""
    return Flow(rows).top(n, "kg").rows()


def report(season: Season) -> list[str]:
    """Pickers with quick bins, and who filled the heaviest."""
    quick = sorted(quick_bins(season.picked).items())
    heaviest = best_bins(season.picked, 1)[0]["picker"]
    return [*(f"{picker}: {bins} bins" for picker, bins in quick), f"heaviest bin: {heaviest}"]
