from pathlib import Path

from audit import danger, names, params
from gatehouse.__main__ import main
from gatehouse.clip import clip
from gatehouse.counting import statements
from gatehouse.danger import dangers
from gatehouse.excerpt import excerpt
from gatehouse.names import tables
from gatehouse.params import params as params_of
from gatehouse.scripts import scripts
from gatehouse.stream import pieces, words

PRACTICE = Path(__file__).resolve().parent.parent / "trays" / "practice"


def test_plain_scripts():
    assert statements("select 1; select 2;") == 2
    assert dangers("drop table a;") == ["drop table a;"]
    assert params_of("select ? from t where a = :b") == ["?", ":b"]
    assert tables("select a from T join u on 1 = 1") == ["t", "u"]
    assert excerpt("-- about\nselect 1") == "select 1"


def test_pieces_make_up_the_script():
    text = (PRACTICE / "stock.sql").read_text(encoding="utf-8")
    assert "".join(leaf.value for leaf in pieces(text)) == text.rstrip()
    assert [leaf.value for leaf in words("select  1 ;")] == ["select", "1", ";"]


def test_clip_counts_the_ellipsis():
    assert clip("a  b\nc", 5) == "a b c"
    assert clip("abcdef", 5) == "abcd…"


def test_practice_tray(capsys):
    assert {"nightly.sql", "stock.sql"} <= {script.name for script in scripts(PRACTICE)}
    assert main(["--tray", str(PRACTICE)]) == 0
    assert capsys.readouterr().out.count(" statements\n") == len(scripts(PRACTICE))


def test_missing_tray(tmp_path, capsys):
    assert main(["--tray", str(tmp_path)]) == 1
    assert "no index" in capsys.readouterr().err


def test_sheets_of_the_auditors():
    text = "select ? from wards;\ndrop table wards;"
    assert danger.sheet(text) == [(2, "DROP")]
    assert params.sheet(text) == {"?": 1}
    assert names.sheet(text) == {"W": ["wards;"]}
