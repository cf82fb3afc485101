"""Time to open a report in a browser: `page_open.py [REPORT.html]`.

Without a file, the report of the committed reference run (1,296 trials) is made first. It is opened
from disk in headless Chromium, each time anew: milliseconds to the load event, to the first seam
shown (a link to the last trial's seam, painted), and the size of the file. Exit code 1 where a
median is over 2 s or the file over 15 MB; 0 with a note where there is no Chromium.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import CHROMIUM, Page, browser  # noqa: E402

REFERENCE = ROOT / "results/reference/study430/study430.tar.xz"
TIMES = 5
AIM_MS, AIM_MB = 2000, 15
WATCH = """
addEventListener("DOMContentLoaded", () => {
  const look = () => {
    const seam = document.getElementById("seam");
    if (!seam || seam.hidden || !seam.innerText.trim()) return requestAnimationFrame(look);
    // the frame after the next one begins when this one has been painted
    const painted = () => { window.seamAt = performance.now(); };
    requestAnimationFrame(() => requestAnimationFrame(painted));
  };
  look();
});
"""
LOAD = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def report(folder: Path) -> Path:
    """The report of the reference run."""
    with tarfile.open(REFERENCE, "r:xz") as archive:
        archive.extractall(folder, filter="data")
    out = folder / "report"
    command = [sys.executable, "-m", "harness", "report", str(folder / "study430")]
    command += ["--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return out / "report.html"


def last_trial(page: Path) -> str:
    """Id of the last trial that a report holds."""
    text = page.read_text(encoding="utf-8")
    return json.loads(text.split('id="data">')[1].split("</script>")[0])["trials"][-1]["id"]


async def opened(page: Page, address: str) -> tuple[float, float]:
    """Milliseconds to the load event, and to the seam."""
    await page.send("Page.navigate", url="about:blank")  # else only the part after # would change
    await page.send("Page.navigate", url=address)
    await page.until(f"window.seamAt && {LOAD} > 0")
    return await page.value(LOAD), await page.value("window.seamAt")


async def measure(path: Path) -> list[tuple[float, float]]:
    address = f"{path.resolve().as_uri()}#/seam?trial={last_trial(path)}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        async with browser(Path(profile)) as page:
            await page.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
            await opened(page, address)  # the browser's own first time
            found = [await opened(page, address) for _ in range(TIMES)]
            if page.errors:
                sys.exit("\n".join(page.errors))
    return found


def main(given: Sequence[str]) -> int:
    if CHROMIUM is None:
        print("page_open: no Chromium here; skipped")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(given[0]) if given else report(Path(folder))
        size = path.stat().st_size / 1e6
        found = asyncio.run(measure(path))
    print(f"report.html: {size:.1f} MB; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    good = size < AIM_MB
    for name, times in zip(
        ("load event", "first seam shown"), zip(*found, strict=True), strict=True
    ):
        middle = statistics.median(times)
        print(f"  {name:17} {middle:6.0f} ms (worst of {TIMES}: {max(times):.0f})")
        good = good and middle < AIM_MS
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
