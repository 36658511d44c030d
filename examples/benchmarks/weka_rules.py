"""JRip and OneR of Weka, from the weka.jar inside the package python-weka-wrapper3, by JPype.

The wrapper itself is not imported: Weka needs no more here than instances and its classifiers.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from spent import Spent, spent

#: Weka's class and its options: its own default settings, written out.
OPTIONS = {
    "JRip": ("-F", "3", "-N", "2.0", "-O", "2", "-S", "1"),
    "OneR": ("-B", "6"),
}


def jar() -> str | None:
    """Return the path of weka.jar; None where the package or JPype is not installed."""
    found, bridge = (importlib.util.find_spec(name) for name in ("weka", "jpype"))
    if found is None or bridge is None or not found.submodule_search_locations:
        return None
    return str(Path(found.submodule_search_locations[0]) / "lib" / "weka.jar")


def instances(frame: pd.DataFrame, target: str, classes: list[Any]) -> Any:
    """Return weka.core.Instances of a table, its class last.

    Numbers are numeric attributes; text and booleans are nominal ones with their levels in
    order; what is missing is missing there. ``classes`` gives the order of the classes.
    """
    from jpype import JArray, JClass, JDouble

    new, attribute, row_of = (
        JClass(f"weka.core.{name}") for name in ("Instances", "Attribute", "DenseInstance")
    )
    texts = JClass("java.util.ArrayList")
    attributes, columns = texts(), []
    for name in [*frame.columns.drop(target), target]:
        column = frame[name]
        if name != target and column.dtype.kind in "iuf":
            attributes.add(attribute(str(name)))
            columns.append(column.to_numpy(float, na_value=np.nan))
            continue
        levels = classes if name == target else sorted(column.dropna().unique())
        codes = pd.Categorical(column, categories=levels).codes.astype(float)
        named = texts()
        for level in levels:
            named.add(str(level))
        attributes.add(attribute(str(name), named))
        columns.append(np.where(codes < 0, np.nan, codes))
    made = new("table", attributes, len(frame))
    made.setClassIndex(len(columns) - 1)
    for row in np.column_stack(columns):
        made.add(row_of(1.0, JArray(JDouble)(row)))
    return made


class Weka:
    """A classifier of Weka on rows of one table."""

    def __init__(self, frame: pd.DataFrame, target: str, classes: list[Any], name: str) -> None:
        import jpype

        # Weka builds classes at run time, which Java allows no longer unasked
        opened = "--add-opens=java.base/java.lang=ALL-UNNAMED"
        # of the collectors of garbage the quickest here: JRip copies its tables all the time
        jpype.startJVM(opened, "-XX:+UseSerialGC", classpath=[jar()], convertStrings=False)
        self.name = name
        self.table = instances(frame, target, classes)
        self.model: Any = None

    def some(self, rows: np.ndarray | None) -> Any:
        """Return these rows of the table."""
        if rows is None:
            return self.table
        from jpype import JClass

        chosen = JClass("weka.core.Instances")(self.table, len(rows))
        for row in rows.tolist():
            chosen.add(self.table.get(row))
        return chosen

    def fit(self, rows: np.ndarray | None = None) -> Spent:
        """Return what buildClassifier alone took."""
        from jpype import JClass, JString

        data = self.some(rows)
        self.model = JClass(f"weka.classifiers.rules.{self.name}")()
        self.model.setOptions(JString[:](OPTIONS[self.name]))
        return spent(lambda: self.model.buildClassifier(data))

    def predict(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of the predicted classes, and probabilities (rows × classes).

        Weka's own rule: the class of the highest probability, the first of them in a tie.
        """
        chances = np.array(self.model.distributionsForInstances(self.some(rows)), dtype=float)
        return chances.argmax(axis=1), chances

    def size(self) -> tuple[int, int]:
        """Return how many rules there are without the default, and how many conditions."""
        if self.name == "OneR":
            lines = sum("->" in line for line in str(self.model.toString()).splitlines())
            return lines, lines
        rules = [rule for rule in self.model.getRuleset() if rule.hasAntds()]
        return len(rules), sum(int(rule.size()) for rule in rules)
