"""The tables of a report. Each builder takes frames and gives a `Table`; arms are rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from analysis import compare, stats
from analysis.cells import (
    difference_cell,
    ids_of,
    label,
    mean_cell,
    p_cell,
    percent,
    points_cell,
    ratio_cell,
    score_cell,
    scored_cell,
    share_cell,
    sums_by_trial,
    usage_cell,
)
from analysis.frames import PHASES, VERDICT_ITEMS, VERDICTS, Frames, order_timings
from analysis.table import NO_TRIALS, Cell, Row, Table
from harness.types import ITEMS, Family

WILSON_NOTE = (
    "k/n (share) [95 % Wilson interval]; the interval takes trials as independent: compare "
    "strategies by the table of differences, not by whether intervals overlap."
)


def overview(
    f: Frames, found: Sequence[compare.Effect], planned: Mapping[str, int] | None
) -> Table:
    """The first table: verdicts per arm and the difference to `bare`."""

    def cells(arm: str) -> list[Cell]:
        scored = f.scored(arm)
        total = None if planned is None else planned.get(arm, 0)
        effect = compare.find(found, arm, "continued")
        of = len(f.trials[f.trials["arm"] == arm]) if total is None else total
        seen = scored_cell(scored, of)
        rates = [share_cell(scored, verdict) for verdict in VERDICTS]
        if effect is None:
            return [seen, *rates, *(Cell("") for _ in range(3))]
        p = effect.holm_p if effect.claim.family else effect.found.p
        visible = points_cell(effect.found.visible, effect.trials)
        return [seen, *rates, _to_base(effect), p_cell(p, effect.trials), visible]

    of = "recorded" if planned is None else "planned"
    columns = ("strategy", f"scored/{of}", *VERDICTS)
    columns += ("continued - bare, points [95 %]", "p", "visible")
    notes = (
        "Difference: paired by prefix, each task weighs the same; t interval on task means; p: "
        "sign-flip over tasks, Holm-adjusted for strategies, not for controls; visible: smallest "
        "difference this design finds (power 0.8). unpaired: not the same prefix bytes.",
        *(("Of seams in a row, the first.",) if len(f.seams) > 1 else ()),
        f.caption,
    )
    return by_arm(f, "overview", "Overview", columns, cells, notes)


def _to_base(effect: compare.Effect) -> Cell:
    """The difference to `bare`, marked where it is not one of pairs."""
    cell = difference_cell(effect.found, effect.trials)
    unpaired = not effect.paired and cell.text is not None
    return replace(cell, text=f"{cell.text} unpaired") if unpaired else cell


def side_by_side(sections: Sequence[tuple[str, Frames]]) -> Table:
    """Several runs or models beside each other; nothing is pooled or tested over them."""
    rows = []
    for name, f in sections:
        found = compare.effects(f, compare.against_base(f, "continued"))
        for arm in f.arms:
            effect = compare.find(found, arm, "continued")
            cells = [
                Cell(arm),
                Cell(f.title(name)),
                *(share_cell(f.scored(arm), v) for v in VERDICTS),
            ]
            cells.append(replace(_to_base(effect), trials=NO_TRIALS) if effect else Cell(""))
            rows.append(Row(tuple(cells), "controls" if arm in f.controls else "strategies"))
    arms = list(dict.fromkeys(row.cells[0].shown for row in rows))
    rows.sort(key=lambda row: (row.group != "strategies", arms.index(row.cells[0].shown)))
    columns = ("strategy", "records", *VERDICTS, "continued - bare, points [95 %]")
    notes = (
        WILSON_NOTE,
        "unpaired: not the same prefix bytes. To compare two runs pair by pair: seambench compare "
        "A B.",
    )
    return Table("side_by_side", "Side by side", columns, tuple(rows), notes)


def rates(f: Frames) -> Table:
    """Both verdicts, over the registered and the extended window."""
    names = tuple(f"{verdict}{tail}" for tail in ("", "_extended") for verdict in VERDICTS)

    def cells(arm: str) -> list[Cell]:
        scored = f.scored(arm)
        used = scored["exercised_items"].dropna()
        mean = float(used.mean()) if len(used) else None
        text = None if mean is None else f"{mean:.1f}"
        exercised = Cell(text, {"mean": mean}, ids_of(scored))
        return [*(share_cell(scored, name) for name in names), exercised]

    columns = ("strategy", *(label(name) for name in names), "items exercised, of 5")
    notes = (WILSON_NOTE, _CONTINUED_NOTE, f.caption)
    return by_arm(f, "rates", "Verdicts", columns, cells, notes)


_CONTINUED_NOTE = (
    "continued: no high-weight item fails; continued_strict: no item fails. Items exercised: mean "
    f"number of the {len(VERDICT_ITEMS)} items that the window gave occasion to break."
)


def items(f: Frames) -> Table:
    """Share of trials that pass each rubric item, and in which it was exercised."""

    def cell(arm: str, item: str) -> Cell:
        rows = f.of_arm("items", arm)
        rows = rows[rows["item"] == item]
        rows = rows[rows["passed"].notna()]
        passed = share_cell(rows, "passed")
        if passed.text is None:
            return passed
        used = float(rows["exercised"].fillna(False).mean())
        text = f"{passed.text} ex {percent(used)}"
        return Cell(text, {**passed.parts, "exercised": used}, passed.trials)

    def cells(arm: str) -> list[Cell]:
        return [cell(arm, item) for item in ITEMS]

    notes = (
        WILSON_NOTE,
        "ex: share of these trials in which the window gave occasion to break the item; `context` "
        "is in neither verdict.",
        f.caption,
    )
    return by_arm(f, "items", "Rubric items passed", ("strategy", *ITEMS), cells, notes)


def by_family(f: Frames, verdict: str = "continued") -> Table:
    """A verdict by task family, in the order of assumed pressure."""
    known = [family.value for family in Family]
    seen = set(f.trials["family"].dropna())
    names = [*(n for n in known if n in seen), *sorted(seen - set(known))]
    return _crossed(f, verdict, "family", names)


def by_timing(f: Frames, verdict: str = "continued") -> Table:
    """A verdict by the progress at which the seam fell."""
    return _crossed(f, verdict, "timing", order_timings(set(f.trials["timing"].dropna())))


def _crossed(f: Frames, verdict: str, column: str, names: Sequence[str]) -> Table:
    def cells(arm: str) -> list[Cell]:
        scored = f.scored(arm)
        return [share_cell(scored[scored[column] == name], verdict) for name in names]

    stem = column if verdict == "continued" else f"{column}_strict"
    title = f"{verdict} by {column}"
    return by_arm(f, stem, title, ("strategy", *names), cells, (WILSON_NOTE, f.caption))


def modes(f: Frames) -> Table:
    """Failure modes: share of scored trials in which each was seen."""
    counts = f.modes["mode"].value_counts()
    names = sorted(counts.index, key=lambda name: (-counts[name], name))

    def cells(arm: str) -> list[Cell]:
        scored = f.scored(arm)
        seen = f.of_arm("modes", arm)
        failed = scored[(~scored["continued_strict"]).fillna(False)]
        found = [ids_of(failed), *(ids_of(seen[seen["mode"] == name]) for name in names)]
        return [ratio_cell(len(ids), len(scored), ids) for ids in found]

    columns = ("strategy", "not continued_strict", *names)
    notes = ("k/n scored trials (share); a trial can show several modes.", f.caption)
    return by_arm(f, "failure_modes", "Failure modes", columns, cells, notes)


def normalised(f: Frames) -> Table:
    """Rates beside the score between the floor (`empty`) and the ceiling (`full`)."""

    def cells(arm: str) -> list[Cell]:
        scored, out = f.scored(arm), []
        for verdict in VERDICTS:
            out.append(share_cell(scored, verdict))
            if arm in ("empty", "full"):
                out.append(Cell(f"{int(arm == 'full')} by definition"))
                continue
            value, ends, n = compare.normalised(f, arm, verdict)
            out.append(score_cell(value, ends, n, ids_of(scored)))
        return out

    columns = ("strategy",)
    for verdict in VERDICTS:
        columns += (verdict, f"{verdict} normalised")
    notes = (
        "normalised: (rate - empty) / (full - empty) over prefixes where all three were scored, "
        "[95 % percentile bootstrap over tasks], number of tasks; n/a where full - empty is under "
        f"{100 * stats.MIN_SPAN:.0f} points. It can leave 0 to 1: `full` need not be the best.",
        f.caption,
    )
    return by_arm(f, "normalised", "Controls and normalised score", columns, cells, notes)


def tokens(f: Frames) -> Table:
    """Mean tokens per scored trial and phase; money from the seam to the end of the window."""

    def cells(arm: str) -> list[Cell]:
        rows = f.of_arm("tokens", arm)
        rows = rows[rows["status"] == "scored"]
        window = rows[rows["phase"].isin(["compaction", "recovery", "window"])]
        money = [
            mean_cell(sums_by_trial(window, usd), usd, "{:.4f}")
            for usd in ("list_usd", "cached_usd")
        ]
        return [*(usage_cell(rows[rows["phase"] == phase]) for phase in PHASES), *money]

    columns = ("strategy", *PHASES, "USD, list price", "USD, cached price")
    notes = (
        "Mean per trial: input tokens (share served from a cache) > output tokens. A shared "
        "prefix is paid once for all its strategies. USD: compaction + recovery + window.",
        f.caption,
    )
    return by_arm(f, "tokens", "Tokens and money by phase", columns, cells, notes)


def view(f: Frames) -> Table:
    """Mean size of the view on either side of the seam, and of what was carried."""
    names = ("before", "after", "summary", "card", "injected")

    def cells(arm: str) -> list[Cell]:
        scored = f.scored(arm)
        out = [mean_cell(scored, f"view_{name}_tokens", "{:,.0f}") for name in names]
        return [*out, share_cell(scored, "noop")]

    columns = ("strategy", *(f"{name}, tokens" for name in names), "not made shorter")
    return by_arm(f, "view", "The view at the seam", columns, cells, ("Means.", f.caption))


def by_arm(
    f: Frames,
    name: str,
    title: str,
    columns: tuple[str, ...],
    cells: Callable[[str], list[Cell]],
    notes: Sequence[str],
) -> Table:
    """A table of one row per arm, controls apart."""
    rows = tuple(Row((Cell(arm), *cells(arm)), _group(f, arm)) for arm in f.arms)
    return Table(name, f.title(title), columns, rows, tuple(notes))


def _group(f: Frames, arm: str) -> str:
    return "controls" if arm in f.controls else "strategies"
