"""The panel on the door of a boiler house: readings from the bus as rows that people can read."""
