"""Sum up one lane: `python -m tagging.probe`."""

from tagging import corner
from tagging.batch import summary
from tagging.lanes import lane_lines
from tagging.printer import label
from tagging.scanner import sort_lines


def main() -> None:
    lines = lane_lines()
    counts, complaints = sort_lines(lines)
    print(corner(1), ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    print(summary("".join(f"{n},{line}\n" for n, line in enumerate(lines, 1))))
    for complaint in complaints:
        print(complaint)
    print(label(lines[0], 1)[1])


if __name__ == "__main__":
    main()
