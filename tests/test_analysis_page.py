"""report.html: one file, every number leads to its trials, and text stays text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import synthetic
from browser import CHROMIUM, Page, browser

from analysis import embedded, frames, report
from harness.seams import cut, seam_details
from harness.store import RunFolder

ROOT = Path(__file__).resolve().parent.parent
HOSTILE = "</script><img src=x onerror=alert(1)> 记忆丢了 <!-- \u2028 ${x} half \ud83d"


def detail(say: str) -> dict[str, Any]:
    call = ["run", say, False, say]
    turn = {"n": 10, "phase": "work", "say": say, "asks": [say], "calls": [call]}
    turn["files"] = [[say, "@@ -1 +1 @@\n-old\n+" + say]]
    return {
        "says": {f"f{i}": f"规则 {i}" for i in range(6)},
        "noop": False,
        "kept": 1,
        "carried": [["user", say]],
        "injected": [],
        "turns": [turn],
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two bands, four arms, one lost trial, hostile text wherever text can come from."""
    records = synthetic.study(
        4, arms=("bare", "engram", "full", HOSTILE[:25]), timings=("mid", "late")
    )
    records.append(synthetic.lost("task_09", "bare", "invalid", HOSTILE[:40]))
    records[0]["windows"]["registered"]["items"]["naming"]["evidence"] = [
        {"turn": 10, "where": HOSTILE, "what": HOSTILE, "fact": "f1", "mode": "naming_drift"}
    ]
    target = tmp_path_factory.mktemp("page")
    path = synthetic.write(target / "records.jsonl", [r for r in records if _writable(r)])
    seams = {r["trial_id"]: detail(HOSTILE) for r in records[:5]}
    told = report.Run(path, seams=lambda record: seams.get(record["trial_id"]))
    report.write_report([told], target)
    return target


def _writable(record: dict[str, Any]) -> bool:
    """Half a character cannot stand in a UTF-8 file: it comes as an escape, as JSON allows."""
    text = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    record.update(json.loads(text))
    return True


class Tags(HTMLParser):
    """Names and attributes of all elements, and the text of the data element."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.seen and self.seen[-1] == ("script", {"type": "application/json", "id": "data"}):
            self.data += data


def parsed(folder: Path) -> Tags:
    tags = Tags()
    tags.feed((folder / "report.html").read_text(encoding="utf-8"))
    return tags


def test_text_of_a_model_is_never_read_as_html(folder):
    tags = parsed(folder)
    images = [attributes for tag, attributes in tags.seen if tag == "img"]
    assert images
    assert all(i["src"].startswith("data:image/svg+xml;base64,") for i in images)
    assert not [a for _, attributes in tags.seen for a in attributes if a.startswith("on")]
    assert [tag for tag, _ in tags.seen].count("script") == 2
    assert HOSTILE.replace("\ud83d", "\ufffd") in json.loads(tags.data)["texts"]


def test_nothing_is_fetched(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    )
    assert policy in text
    for _, attributes in parsed(folder).seen:
        for name in ("src", "href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))


def test_every_number_leads_to_its_trials(folder):
    tags = parsed(folder)
    data = json.loads(tags.data)
    links = [a["href"] for tag, a in tags.seen if tag == "a" and "set=" in (a.get("href") or "")]
    assert len(links) > 200
    for link in links:
        ranges = data["sets"][int(link.partition("set=")[2])]
        assert all(at + n <= len(data["trials"]) for at, n in zip(*[iter(ranges)] * 2, strict=True))
    flow = (folder / "tables" / "flow.csv").read_text(encoding="utf-8")
    assert "invalid: " in flow
    assert {t["status"] for t in data["trials"]} == {"scored", "invalid"}


def test_a_set_holds_the_trials_of_its_cell():
    records = synthetic.study(3, arms=("bare", "engram"), timings=("mid",))
    f = frames.build(records)
    shown = tuple(map(embedded.shown, records))
    section = embedded.Section(
        "m", (), (), (), shown, f.arms, f.controls, simulated=True, ids=f.ids
    )
    trials = embedded.Trials([section])
    ids = {r["trial_id"] for r in records if r["arm"] == "engram"}
    number = trials.set_of(0, np.flatnonzero(f.ids.isin(ids)))
    data = json.loads("".join(trials.embedded()))
    assert data["sets"][number] == [3, 3]
    assert {row["id"] for row in data["trials"][3:6]} == ids
    assert trials.set_of(0, np.array([], dtype=int)) is None


def test_every_title_says_simulated(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    titles = re.findall(r"<summary><h3>(.*?)</h3>", text) + re.findall(
        r'<img [^>]*alt="(.*?)"', text
    )
    assert len(titles) > 25
    assert all("(simulated: reference worker)" in title for title in titles)


def test_facts_are_one_digit_each():
    fact = {"present": True, "exposed": True, "obeyed": False}
    codes = [fact, fact | {"obeyed": True}, fact | {"exposed": False}, fact | {"present": False}]
    assert "".join(map(embedded._fact_code, codes)) == "7416"


def test_long_text_says_what_is_left_out():
    assert cut("abc", 3) == "abc"
    assert cut("abcdef", 4) == "abcd\n... 2 characters left out"


def test_a_run_without_transcripts_has_no_seams(tmp_path):
    synthetic.write(tmp_path / "records.jsonl", synthetic.study(1))
    assert seam_details(RunFolder(tmp_path)) == {}


async def body_of(page: Page, part: str) -> str:
    return await page.value(f"document.getElementById('{part}').innerText")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_a_reader_follows_filters_and_sorts_in_a_browser(folder, tmp_path):
    address = f"file://{folder / 'report.html'}"
    async with browser(tmp_path / "profile") as page:
        await page.open(address)
        await _sorts(page)
        await _filters(page)
        await _goes_by_keyboard(page)
        await page.open(f"{address}#/seam?trial=task_00.bare.mid.0.0.0.0")  # a deep link
        await page.until("!document.getElementById('seam').hidden")
        seam = await body_of(page, "seam")
        assert "规则 1" in seam
        assert "<img src=x onerror=alert(1)> 记忆丢了" in seam
        assert await page.value("document.querySelectorAll('#seam img').length") == 0
        assert await page.value("document.querySelector('.arm.chosen h3').innerText") == "bare"
        assert page.errors == []


async def _sorts(page: Page) -> None:
    shown = "[...document.querySelectorAll('#t0-rates tbody')[0].rows].slice(1)"
    shown += ".map(row => parseFloat(row.cells[1].innerText))"
    press = "document.querySelectorAll('#t0-rates th button')[1].click()"
    await page.value(press)
    up = await page.value(shown)
    await page.value(press)
    down = await page.value(shown)
    assert len(up) == 3
    assert (up, down) == (sorted(up), sorted(up, reverse=True))


async def _filters(page: Page) -> None:
    await page.value("location.hash = '#/trials'")
    await page.until("document.getElementById('trials').innerText.includes('33 of 33 trials')")
    choose = "const list = [...document.querySelectorAll('#trials label')]"
    choose += ".find(l => l.innerText.startsWith('verdict')).querySelector('select');"
    choose += "list.value = 'invalid'; list.dispatchEvent(new Event('change')); true"
    await page.value("{" + choose + "}")
    await page.until("document.getElementById('trials').innerText.includes('1 of 33 trials')")
    assert await page.value("location.hash.includes('verdict=invalid')")


async def _goes_by_keyboard(page: Page) -> None:
    """Tab to the first link of a table, Enter: the trials behind the number, with a real focus."""
    await page.value("location.hash = '#t0-rates'")
    await page.until("!document.getElementById('report').hidden")
    await page.value("document.querySelector('#t0-rates th button').focus()")
    for _ in range(30):
        await page.key("Tab", 9)
        if await page.value("(document.activeElement.hash || '').startsWith('#/trials?set=')"):
            break
    else:
        raise AssertionError("no number can be reached by Tab")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert await page.value(outline) != "none"
    await page.key("Enter", 13, "\r")
    await page.until("!document.getElementById('trials').hidden")
    assert "behind the number that was followed" in await body_of(page, "trials")
