from panel.bus import RECORDED, LoopBus
from panel.flow import flow_row
from panel.heat import heat_row
from panel.legend import legend
from panel.modbus_wire import frame
from panel.mqtt_wire import message
from panel.power import power_row
from panel.row import Row
from panel.screen import rows, screen
from panel.tank import tank_row


def bus(**values):
    return LoopBus({**RECORDED, **values})


def test_rows_of_the_recorded_values():
    assert [row.text for row in rows(bus())] == [
        "4.2 l/s",
        "71.8 kWh",
        "3.12 m³",
        "18.2 kW",
        "48.2 MB",
    ]


def test_small_values_take_the_smaller_symbol():
    assert flow_row(bus(flow=0.0005)).text == "1,800.0 l/h"
    assert heat_row(bus(heat=2.0)).text == "7.20 kJ"
    assert tank_row(bus(tank=0.25)).text == "! 250.00 l"
    assert power_row(bus(power=-40.0)).text == "40.0 var"


def test_legend_names_each_symbol_once():
    told = legend([Row("A", "1 W", "W"), Row("B", "2 W", "W"), Row("C", "3 l", "l")])
    assert told == "W = watts and l = litres"
    assert legend([Row("D", "4 MB", "MB")]) == ""


def test_wires():
    assert frame(Row("Tank", "1 m³", "m³")) == bytes([12, 4]) + b"Tank" + bytes([158])
    assert message(Row("Flow", "4.2 l/s", "l/s"))[0] == "boiler/flow/l_per_s"


def test_screen_ends_with_the_legend():
    assert screen(bus()).splitlines()[-1].startswith("l/s = litres a second, ")
