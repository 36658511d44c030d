"""Model files: plain JSON, version 1."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any

from dbrules.errors import InvalidModel
from dbrules.language.json import rule_list_from_json, rule_list_to_json

if TYPE_CHECKING:
    from dbrules.language.rule_list import RuleList
    from dbrules.model import Model

VERSION = 1


def model_to_json(model: Model) -> dict[str, Any]:
    """Return a model as a dict of plain JSON values, in the order of the format."""
    body = rule_list_to_json(model.rules)
    document = {
        "dbrules": VERSION,
        "kind": body.pop("kind"),
        "learner": {"name": model.learner, **model.settings},
        **body,
    }
    if model.falling is not None:
        document["falling"] = model.falling.to_json()
    return document | {"training": model.training.to_json()}


def model_parts(document: Any, where: str) -> tuple[RuleList, str, dict[str, Any], Any]:
    """Return rules, learner, settings and training of a document; InvalidModel if broken."""
    if not isinstance(document, dict) or "dbrules" not in document:
        raise InvalidModel(f"{where} is not a dbrules model: give a file that save() wrote")
    version = document["dbrules"]
    if version != VERSION or isinstance(version, bool):
        raise InvalidModel(
            f"{where} is of format version {version!r}, this dbrules reads {VERSION}: "
            "upgrade dbrules or save the model again"
        )
    if document.get("kind") != "rule_list":
        raise InvalidModel(
            f"{where}: kind {document.get('kind')!r} is not one that a model can be, rule_list; "
            "save the model again"
        )
    learner = document.get("learner")
    training = document.get("training")
    if not isinstance(learner, dict) or not isinstance(learner.get("name"), str):
        raise InvalidModel(f"{where}: 'learner' with a 'name' is missing; save the model again")
    if not isinstance(training, dict):
        raise InvalidModel(f"{where}: 'training' is missing; save the model again")
    settings = {name: value for name, value in learner.items() if name != "name"}
    return rule_list_from_json(document), learner["name"], settings, training


def read_document(path: str | os.PathLike[str]) -> Any:
    """Return the JSON of a file; InvalidModel where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        raise InvalidModel(
            f"model file {os.fspath(path)!r} does not exist: check the path"
        ) from None
    except OSError as error:
        raise InvalidModel(
            f"model file {os.fspath(path)!r} cannot be read: {error.strerror}; check it"
        ) from None
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidModel(
            f"model file {os.fspath(path)!r} is not whole JSON: {reason}; save the model again"
        ) from None


def write_document(path: str | os.PathLike[str], document: dict[str, Any]) -> None:
    """Write JSON beside ``path`` and move it there: a file is whole or not there."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    path = os.path.realpath(path)  # a link stays a link
    folder = os.path.dirname(path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise InvalidModel(f"model file {path!r} is not a plain file: give the path of a file")
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".dbrules-", suffix=".json")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InvalidModel(
            f"model file {os.fspath(path)!r} cannot be written: {error.strerror}; "
            "give a path in a folder that exists"
        ) from None
