from orchard import bonus, frost, intake, invoices, labels, market, sorting, tags, wages
from orchard.ledger import sample

SEASON = sample()


def test_intake_and_sorting():
    assert intake.block_weights(SEASON.picked) == {"A1": 320, "A2": 410, "B1": 425, "B2": 505}
    assert intake.week_weights(SEASON.picked) == {36: 320, 37: 835, 38: 505}
    assert sorting.grade_weights(SEASON.picked) == {1: 1100, 2: 410, "juice": 150}
    assert sorting.sweet_blocks(SEASON.picked) == {"A1": 2, "B1": 1, "B2": 1}


def test_pay():
    assert wages.hours(SEASON.picked) == {"Ines": 13.5, "Paul": 9.0, "Ruth": 14.5}
    assert wages.long_days(SEASON.picked) == {("Ruth", 9): 1}
    assert bonus.quick_bins(SEASON.picked) == {"Ines": 1, "Ruth": 1}
    assert [row["kg"] for row in bonus.best_bins(SEASON.picked, 2)] == [505, 410]


def test_sales_and_frost():
    assert invoices.owed(SEASON.sales) == {"mill": 12800, "stall": 20250}
    assert market.stall_weights(SEASON.picked) == {"Cox": 825, "Idared": 410, "Boskoop": 275}
    assert market.weekday_cents(SEASON.sales) == {2: 12800, 3: 10800, 4: 9450}
    assert frost.frost_blocks(SEASON.nights) == {"A1": 1, "A2": 1, "B2": 1}
    assert set(frost.frost_rows(SEASON.nights)) == {"A", "B"}


def test_sheets_hold_everything_in_order():
    assert labels.label_sheets(SEASON.picked)[0][0] == "Cox / A1 / 320 kg"
    assert len(invoices.invoice_sheets(SEASON.sales, "stall")[0]) == 2
    assert tags.tag_sheets(SEASON.picked)[0] == ("A1 01.09.", "A2 07.09.", "B2 16.09.")
