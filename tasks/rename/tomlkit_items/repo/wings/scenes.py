"""What has to stand ready for a scene."""

from collections.abc import Iterable

from tomlkit.items import Table


def scene_names(rows: Iterable[Table]) -> list[str]:
    """All scenes that need something, sorted."""
    return sorted({scene for row in rows for scene in row["scenes"]})


def items_for_scene(rows: Iterable[Table], scene: str) -> list[Table]:
    """What a scene needs, by shelf and mark."""
    items = [row for row in rows if scene in row["scenes"]]
    return sorted(items, key=lambda row: (row["shelf"], row["mark"]))


def call_sheet(rows: list[Table]) -> str:
    """A paragraph for each scene, as it hangs beside the stage door."""
    parts = []
    for scene in scene_names(rows):
        wanted = items_for_scene(rows, scene)
        lines = [f"  {row['shelf']}  {row['name']}" for row in wanted]
        parts.append("\n".join([scene, *lines]))
    return "\n\n".join(parts)
