"""The four kinds, scanned lines, labels and deliveries."""

import pytest

from tagging.batch import doubles, read_rows, summary
from tagging.box import box, category_of
from tagging.ean import article, country_of
from tagging.paper import wrong_fields
from tagging.parcel import parcel, service_of
from tagging.printer import label
from tagging.scanner import kind_of, sort_lines
from tagging.sscc import next_pallet, pallet

GOOD = {
    "4006381333931": "article",
    "RR473124829CN": "parcel",
    "340123450000000017": "pallet",
    "CSQU3054383": "box",
}


@pytest.mark.parametrize("code", GOOD)
def test_kinds(code):
    assert kind_of(code) == GOOD[code]


@pytest.mark.parametrize("code", ["4006381333932", "RR473124828CN", "CSQU3054384", "", "12"])
def test_misread(code):
    assert kind_of(code) is None
    assert not any(check(code) for check in (article, parcel, pallet, box))


def test_markers_and_identifier():
    assert kind_of("]C1 00 3 4012345 000000001 7") == "pallet"
    assert sort_lines(["]E04006381333931", "4006381333930", "77"]) == (
        {"article": 1},
        ["4006381333930: misread article or parcel", "77: 2 characters fit no kind"],
    )


def test_small_helpers():
    assert country_of("2000000000015") == "in-house"
    assert service_of("RR473124829CN") == "registered"
    assert category_of("CSQU3054383") == "freight"
    assert next_pallet("4012345", 1) == "340123450000000017"


def test_label():
    assert label("RR473124829CN", 7)[1] == "RR 473 124 829 CN"
    assert label("CSQU3054383", 7, trainee=True)[1] == "CSQU305438<3>"
    with pytest.raises(ValueError, match="no kind"):
        label("12", 7)


def test_delivery():
    text = "1,4006381333931\n2,4006381333930\n3,4006381333931\n"
    assert summary(text) == "3 pieces, 1 misread, 1 twice"
    assert doubles(read_rows(text)) == ["4006381333931"]


def test_papers():
    assert wrong_fields({"isin": "US0378331005", "cusip": "037833DP3", "note": "x"}) == ["cusip"]
