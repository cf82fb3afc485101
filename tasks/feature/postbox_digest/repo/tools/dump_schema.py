"""Print the tables as sqlite makes them, column by column."""

import sqlite3
from pathlib import Path

SCHEMA = Path(__file__).resolve().parent.parent / "postbox" / "schema.sql"


def main():
    base = sqlite3.connect(":memory:")
    base.executescript(SCHEMA.read_text(encoding="utf-8"))
    for (table,) in base.execute("select name from sqlite_master where type = 'table'"):
        columns = [row[1] for row in base.execute(f"pragma table_info({table})")]
        print(f"{table}: {', '.join(columns)}")
    base.close()


main()
