"""Loads the schema that the option --schema names, from the program that declares it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from graph_memory.domain.wording import with_article
from graph_memory.errors import InvalidInputError

if TYPE_CHECKING:
    from graph_memory import Schema

DEFAULT_NAME = "schema"
_FORM = "write it as package.module:name or path/file.py:name"


def load_schema(reference: str) -> Schema:
    """Return the schema at `package.module:name` or `path/file.py:name`; without `:name`, the name is `schema`.

    Python's import finds modules, in the current folder first. Loading runs the module.

    Raises:
        InvalidInputError: there is no such module, file or name, running it fails, or the object is not a schema.
    """
    from graph_memory import Schema

    place, colon, name = reference.rpartition(":")
    if not colon:
        place, name = reference, DEFAULT_NAME
    if not place or not name.isidentifier():
        raise InvalidInputError(f"--schema {reference!r} names no schema: {_FORM}")
    module = _module(place)
    found = getattr(module, name, None)
    if not isinstance(found, Schema):
        names = ", ".join(sorted(n for n, value in vars(module).items() if isinstance(value, Schema)))
        known = f"the schemas of {place} are {names}" if names else f"{place} has no schema"
        what = "does not exist" if found is None else f"is {with_article(type(found).__name__)}, not a schema"
        raise InvalidInputError(f"--schema {reference}: {name} {what}: {known}")
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
                f"--schema {place}: module {error.name} is neither installed nor in {Path.cwd()}: {_FORM}"
            ) from None
        raise _failed(place, error) from error
    except (Exception, SystemExit) as error:
        raise _failed(place, error) from error


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(None, None, str(path))
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)  # so that the file can import its neighbours, as when Python runs it
    name = f"schema_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InvalidInputError(f"--schema {path} is not a Python file: {_FORM}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations are looked up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _failed(place: str, error: BaseException) -> InvalidInputError:
    """Return an error with the message and the last line of the user's own code, so that they find the fault."""
    if isinstance(error, SyntaxError):
        where = f"{error.filename}, line {error.lineno}"
        return InvalidInputError(f"--schema {place} cannot be loaded: {error.msg} ({where})")
    package = str(Path(__file__).parents[1])
    theirs = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((package, "<frozen"))
    ]
    where = f" ({theirs[-1].filename}, line {theirs[-1].lineno})" if theirs else ""
    said = str(error) if isinstance(error, InvalidInputError) else f"{type(error).__name__}: {error}"
    return InvalidInputError(f"--schema {place} cannot be loaded: {said}{where}")
