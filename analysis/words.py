"""The summary in plain words, made from the numbers: found, how sure, what cannot be said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis import compare
from analysis.cells import p_text, points
from analysis.compare import Effect
from analysis.frames import BASE, VERDICTS, Frames
from analysis.stats import clear_sign


def summary(
    f: Frames, found: Sequence[Effect], planned: Mapping[str, int] | None = None
) -> list[str]:
    """Lines of Markdown. found: effects against `bare`; planned: trials per arm."""
    lines = ["### What was found", ""]
    lines += [f"- {text}" for text in _found(f, found)]
    lines += ["", "### How sure", ""]
    lines += [f"- {text}" for text in _sure(f, found)]
    lines += ["", "### What this cannot say", ""]
    return lines + [f"- {text}" for text in (*_owed(f, planned), *_limits(f, found))]


def _found(f: Frames, found: Sequence[Effect]) -> list[str]:
    lines = []
    for arm in f.arms:
        scored = f.scored(arm)
        n = len(scored)
        if n == 0:
            lines.append(f"{_code(arm)}: no scored trial.")
            continue
        counts = [int(scored[verdict].sum()) for verdict in VERDICTS]
        text = (
            f"{_code(arm)}{' (control)' if arm in f.controls else ''} carried on in {counts[0]} "
            f"of {n} trials ({100 * counts[0] / n:.0f} %), by the strict verdict in {counts[1]} "
            f"({100 * counts[1] / n:.0f} %)."
        )
        effect = compare.find(found, arm, "continued")
        lines.append(text if effect is None else f"{text} {_compared(effect)}")
    if BASE not in f.arms:
        lines.append(f"There is no {_code(BASE)} arm, so nothing can be compared with it.")
    return lines


def _compared(effect: Effect) -> str:
    d = effect.found
    if d.estimate is None:
        return f"No pair with {_code(BASE)}: the two cannot be compared."
    unpaired = "" if effect.paired else " (unpaired: not the same prefix bytes)"
    head = f"Against {_code(BASE)}: {points(d.estimate)} points{unpaired}"
    if d.interval is None:
        why = "one task only" if d.n_tasks < 2 else "no spread between tasks"
        return f"{head}; no interval can be given ({why})."
    head += f", 95 % interval {points(d.interval.low)} to {points(d.interval.high)}"
    sign = clear_sign(d.interval)
    if sign == 0:
        return f"{head}: cannot tell, gain and loss both lie within it."
    words = "more often" if sign > 0 else "less often"
    if effect.holm_p is not None and effect.holm_p > 0.05:
        return (
            f"{head}: perhaps {words}, but not once several comparisons are allowed for "
            f"(Holm p {p_text(effect.holm_p)})."
        )
    return f"{head}: it carried on {words}."


def _sure(f: Frames, found: Sequence[Effect]) -> list[str]:
    lines = []
    for effect in found:
        d, claim = effect.found, effect.claim
        if claim.value != "continued" or claim.family is None or d.estimate is None:
            continue
        bits = [f"{d.n_tasks} tasks of {d.n_codebases} codebases, {d.n_pairs} pairs"]
        if d.p is not None:
            adjusted = "" if effect.holm_p is None else f", {p_text(effect.holm_p)} after Holm"
            bits.append(f"sign-flip p {p_text(d.p)}{adjusted}")
        if d.visible is not None:
            bits.append(
                f"differences under {100 * d.visible:.0f} points would often be missed"
                if d.visible < 1
                else "even the largest difference could have been missed"
            )
        bits += _agreement(effect, found)
        lines.append(f"{_code(claim.arm)} against {_code(claim.base)}: " + "; ".join(bits) + ".")
    if not lines:
        lines.append("No comparison of strategies could be made.")
    return lines


def _agreement(effect: Effect, found: Sequence[Effect]) -> list[str]:
    """Whether the other ways of looking agree with the registered one in sign."""
    d, bits = effect.found, []
    if d.without_one is not None:
        same = d.without_one.low * d.without_one.high > 0
        bits.append(
            "the sign holds whichever codebase is left out"
            if same
            else "the sign depends on single codebases"
        )
    known = d.by_codebase is not None and d.interval is not None
    if known and clear_sign(d.interval) != clear_sign(d.by_codebase):
        bits.append("clustering by codebase instead of task changes whether zero is within")
    strict = compare.find(found, effect.claim.arm, "continued_strict", effect.paired)
    if strict is not None and strict.found.interval is not None:
        low, high = strict.found.interval
        bits.append(
            f"by the strict verdict {points(strict.found.estimate or 0)} "
            f"[{points(low)}, {points(high)}]"
        )
    return bits


def _owed(f: Frames, planned: Mapping[str, int] | None) -> list[str]:
    arms = planned or {}
    there = {arm: len(f.trials[f.trials["arm"] == arm]) for arm in arms}
    owed = sum(max(0, n - there[arm]) for arm, n in arms.items())
    if not owed:
        return []
    return [
        f"Not complete: {owed} of {sum(arms.values())} planned trials have no record (see flow)."
    ]


def _limits(f: Frames, found: Sequence[Effect]) -> list[str]:
    lines = []
    if f.simulated:
        lines.append(
            "The agent is the reference worker, not a language model: the numbers show that the "
            "machinery works and what its mechanism implies, not how any real model behaves."
        )
    lines.append(
        "Intervals describe the spread over these tasks; nothing is said about other tasks, "
        "other models or other budgets."
    )
    lost = f.trials[f.trials["status"] != "scored"]
    if len(lost):
        lines.append(f"Not scored: {len(lost)} of {len(f.trials)} recorded trials (see flow).")
    unpaired = sorted({e.claim.arm for e in found if not e.paired and e.found.n_pairs})
    if unpaired:
        names = ", ".join(map(_code, unpaired))
        lines.append(
            f"{names}: not the same prefix bytes as `bare`, so part of a difference may be luck."
        )
    weak = [item for item, used in _exercised(f).items() if used < 0.5]
    if weak:
        lines.append(
            f"{', '.join(weak)}: exercised in under half of the strategies' trials, a pass says "
            "little."
        )
    if any(effect.found.n_tasks == 1 for effect in found):
        lines.append("With one task there is no spread to judge by: no interval, no test.")
    return lines


def _exercised(f: Frames) -> dict[str, float]:
    """Share of the strategies' trials in which an item was exercised; controls are no measure."""
    known = f.items[f.items["passed"].notna() & (f.items["item"] != "context")]
    known = known[~known["arm"].isin(list(f.controls))]
    used = (
        known["exercised"].fillna(False).astype(float).groupby(known["item"], observed=True).mean()
    )
    return {str(item): float(value) for item, value in sorted(used.items())}


def _code(text: str) -> str:
    return "`" + text.replace("`", "'") + "`"
