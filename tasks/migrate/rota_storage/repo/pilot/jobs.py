"""Jobs of the pilot site, where every job ran at a full hour."""

from pathlib import Path

from rota.storage import load_table, save_table


def load_jobs(path: Path) -> list[tuple[int, str]]:
    """The jobs of a plan as (hour, name)."""
    return [(record["hour"], record["name"]) for record in load_table(path, "jobs")]


def save_jobs(path: Path, jobs: list[tuple[int, str]]) -> None:
    """Replace the jobs of a plan."""
    records = [{"hour": hour, "name": name} for hour, name in sorted(jobs)]
    save_table(path, "jobs", records)
