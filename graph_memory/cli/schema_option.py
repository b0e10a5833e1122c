"""The schema that an option names: where a program declares it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory import Schema

DEFAULT_NAME = "schema"
_FORM = "write it as package.module:name or path/file.py:name"


def load_schema(reference: str) -> Schema:
    """Return the schema that `package.module:name` or `path/file.py:name` names; without a name, `schema`.

    Modules are found as Python finds them, in the current folder first. The module is run.

    Raises:
        InvalidInputError: there is no such module, file or name, it fails when it is run, or it is no schema.
    """
    from graph_memory import Schema

    place, colon, name = reference.rpartition(":")
    if not colon:
        place, name = reference, DEFAULT_NAME
    if not place or not name.isidentifier():
        raise InvalidInputError(f"--schema {reference!r} does not say which: {_FORM}")
    module = _module(place)
    found = getattr(module, name, None)
    if not isinstance(found, Schema):
        names = ", ".join(sorted(n for n, value in vars(module).items() if isinstance(value, Schema))) or "none"
        what = "is not there" if found is None else f"is a {type(found).__name__} and no schema"
        raise InvalidInputError(f"--schema {reference}: {name} {what}; the schemas of {place} are: {names}")
    return found


def _module(place: str) -> ModuleType:
    try:
        if place.endswith(".py") or "/" in place:
            return _file(Path(place))
        if str(Path.cwd()) not in sys.path and "" not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(place)
    except FileNotFoundError as error:
        raise InvalidInputError(f"--schema {place}: there is no file {error.filename}") from None
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            raise InvalidInputError(
                f"--schema {place}: no module {error.name} is installed, nor is it in {Path.cwd()}: {_FORM}"
            ) from None
        raise _failed(place, error) from error
    except (Exception, SystemExit) as error:
        raise _failed(place, error) from error


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(None, None, str(path))
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)  # so that it can import its neighbours, as when Python runs it
    name = f"schema_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InvalidInputError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations are looked up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _failed(place: str, error: BaseException) -> InvalidInputError:
    """Return what a person needs to find the fault in their own file: the message, and the last line of theirs."""
    if isinstance(error, SyntaxError):
        where = f"{error.filename}, line {error.lineno}"
        return InvalidInputError(f"--schema {place} cannot be read: {error.msg} ({where})")
    package = str(Path(__file__).parents[1])
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((package, "<frozen"))
    ]
    where = f" ({theirs[-1].filename}, line {theirs[-1].lineno})" if theirs else ""
    said = str(error) if isinstance(error, InvalidInputError) else f"{type(error).__name__}: {error}"
    return InvalidInputError(f"--schema {place} cannot be loaded: {said}{where}")
