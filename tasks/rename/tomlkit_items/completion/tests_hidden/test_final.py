import ast
from pathlib import Path

import tomlkit
from wings import colours, insurance, labels, loads, repairs, scenes, store

ROOT = Path(store.__file__).resolve().parent.parent


def defined(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return functions | stored


def test_the_old_word_is_gone():
    for path in (ROOT / "wings").glob("*.py"):
        old = {name for name in defined(path) if "item" in name}
        assert old <= ({"item_by_mark"} if path.name == "store.py" else set()), path.name


def test_the_library_says_whose_items_they_are():
    source = (ROOT / "tomlkit/api.py").read_text(encoding="utf-8")
    assert "toml_item = parser._parse_value()" in source
    assert tomlkit.value("3") == 3


def test_papers_are_as_before(rows):
    assert scenes.call_sheet(rows).startswith("Storm 1\n  C2  ship's lantern")
    assert labels.label_roll(rows).endswith("ship's lantern")
    assert repairs.repair_list(rows).splitlines()[0] == "C007  ship's lantern: glass"
    assert loads.van_load(rows) == "47.5 kg, 292.5 kg to spare"
    assert colours.colour_card(rows, "green") == "parrot on a stick"
    assert insurance.insurance_sheet(rows).splitlines()[0].startswith("B020  sea chest")


def test_terms_and_news():
    terms = tomlkit.parse((ROOT / "wings/terms.toml").read_text(encoding="utf-8"))["term"]
    assert [term["new"] for term in terms if term["old"] == "item"] == ["prop"]
    season = (ROOT / "NEWS.md").read_text(encoding="utf-8").split("## Season 36")[0]
    assert sum("prop" in line.lower() for line in season.splitlines()) == 1
    assert (ROOT / "tests_wings/test_words.py").is_file()


def test_the_road_keeps_its_names():
    assert "def item_label" in (ROOT / "tour/labels.py").read_text(encoding="utf-8")
    assert "def sum_of_items" in (ROOT / "tour/loads.py").read_text(encoding="utf-8")
