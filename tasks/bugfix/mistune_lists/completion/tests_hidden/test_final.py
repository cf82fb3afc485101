from pathlib import Path

import kitlist
import mistune
from kitlist.entries import Entry, read
from kitlist.labels import label
from kitlist.merge import merge
from kitlist.outline import outline
from kitlist.sheet import sheet
from kitlist.weigh import weight
from kitlist.writeback import write_back
from mistune.renderers.markdown import MarkdownRenderer
from mistune.renderers.rst import RSTRenderer

ROOT = Path(kitlist.__file__).resolve().parent.parent


def test_library_round_trips():
    html = mistune.create_markdown(plugins=["task_lists"])
    again = mistune.create_markdown(renderer=MarkdownRenderer(), plugins=["task_lists"])
    for text in ("- [x] a\n  - b\n", "- [ ] a\n\n  second\n", "- \\[x] a\n", "1. [x] a\n   1. b\n"):
        assert html(again(text)) == html(text), text


def test_nested_rest():
    rest = mistune.create_markdown(renderer=RSTRenderer())
    assert rest("- a\n  - b\n  - c\n- d\n") == "- a\n\n  - b\n  - c\n\n- d\n"
    fixture = (ROOT / "tests/fixtures/renderer_rst.txt").read_text(encoding="utf-8")
    assert fixture.count("- item 1\n\n  1. item 2\n`") == 2


def test_written_lists_can_be_read():
    entries = [Entry("Kitchen"), Entry("stove", 2, True), Entry("gas", 2, False), Entry("hose", 3)]
    assert read(write_back(entries)) == entries
    merged = merge([Entry("sling x3"), Entry("mat")], [Entry("Mat"), Entry("gas")])
    assert [each.text for each in read(merged)] == ["sling x3", "mat", "gas"]
    assert "*" not in merged


def test_paper_and_radio():
    entries = [Entry("a"), Entry("b", 2), Entry("c", 3), Entry("d", 4), Entry("e"), Entry("f", 2)]
    assert sheet("kit", entries).splitlines()[2:] == ["- a", "  - b", "    - c", "- e", "  - f"]
    assert outline(entries) == ["1 a", "1.1 b", "1.1.1 c", "2 e", "2.1 f"]


def test_labels_and_grams():
    assert label(Entry("Bag B (40 m) (Owen)")) == "Bag B (40 m)\nOwen"
    assert label(Entry("Drum")) == "Drum\n"
    assert weight([Entry("sling x3"), Entry("karabiner x2", 2), Entry("stove")]) == 270 + 450 + 310


def test_store():
    ropes = read((ROOT / "lists/ropes.md").read_text(encoding="utf-8"))
    assert [each.depth for each in ropes] == [1, 2, 2, 3, 1, 2, 2]
    aid = (ROOT / "lists/first_aid.md").read_text(encoding="utf-8")
    tokens = mistune.create_markdown(renderer="ast")(aid)
    assert [token["type"] for token in tokens].count("list") == 1
    current = (ROOT / "docs/faults.md").read_text(encoding="utf-8").partition("## Mended")[0]
    assert [line[:3] for line in current.splitlines() if line[:1] == "1"] == ["11.", "12.", "13."]
    assert kitlist.LAYOUT == 8
