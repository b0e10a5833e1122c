"""JSON values: checked before they are stored, read-only in records, and on one line in prompts."""

from __future__ import annotations

import json
import math
import sys
from typing import Any, NoReturn, Self

from graph_memory.errors import InvalidInputError, brief

MAX_DEPTH = 100
# JSON does not escape these characters, and much software ends a line at each of them.
_BREAKS = str.maketrans({code: f"\\u{code:04x}" for code in (0x85, 0x2028, 0x2029)})
_HOLDS = "JSON holds text, finite numbers, booleans, None, lists, and dicts whose keys are text"


class ReadOnlyDict(dict[str, Any]):
    """A dict that cannot be changed; its copies can."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the values of a record cannot be changed: change a copy, made with copy.deepcopy")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {name: thawed(value) for name, value in self.items()}

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, Any]]]:
        return type(self), (dict(self),)


class ReadOnlyList(list[Any]):
    """A list that cannot be changed; its copies can."""

    _refuse = ReadOnlyDict._refuse

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [thawed(value) for value in self]

    def __copy__(self) -> list[Any]:
        return list(self)

    def __reduce__(self) -> tuple[type[Self], tuple[list[Any]]]:
        return type(self), (list(self),)


def frozen(value: Any) -> Any:
    """Return a JSON value in which all dicts and lists are read-only."""
    if isinstance(value, dict):
        return ReadOnlyDict({name: frozen(part) for name, part in value.items()})
    if isinstance(value, list):
        return ReadOnlyList([frozen(part) for part in value])
    return value


def thawed(value: Any) -> Any:
    """Return a JSON value in which all dicts and lists can be changed."""
    if isinstance(value, dict):
        return {name: thawed(part) for name, part in value.items()}
    if isinstance(value, list):
        return [thawed(part) for part in value]
    return value


def json_text(value: Any, what: str, most: int) -> str:
    """Return a value as JSON text. Reading the text gives the same value, and equal values give the same text.

    Args:
        value: the value, as the caller gave it.
        what: the value's name in messages.
        most: the most characters that the text may have.

    Raises:
        InvalidInputError: JSON cannot hold the value unchanged, or it is nested too deep or too long.
    """
    require_json(value, what, most)
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True)
    except ValueError as error:  # an integer of more digits than Python writes
        raise InvalidInputError(f"{what} cannot be written as JSON ({error})") from None
    if len(text) > most:
        raise InvalidInputError(f"{what} has {len(text)} characters as JSON, and at most {most} fit")
    return text


def require_json(value: Any, what: str, most: int) -> None:
    """Raise InvalidInputError where JSON cannot hold a value unchanged, or the value is nested too deep."""
    left, count = [(value, 1)], 0
    while left:
        item, depth = left.pop()
        count += 1
        if count > most:  # each takes a character at least
            raise InvalidInputError(f"{what} has more than {most} characters as JSON, and no more fit")
        if item is None or isinstance(item, str | int) or (isinstance(item, float) and math.isfinite(item)):
            continue
        if not isinstance(item, dict | list):
            raise InvalidInputError(f"{what} holds {brief(item)} of type {type(item).__name__}: {_HOLDS}")
        if depth > MAX_DEPTH:
            raise InvalidInputError(f"{what} is nested more than {MAX_DEPTH} deep: flatten it, or give it as text")
        odd = [name for name in item if not isinstance(name, str)] if isinstance(item, dict) else []
        if odd:
            raise InvalidInputError(
                f"{what} has the key {brief(odd[0])} of type {type(odd[0]).__name__}: {_HOLDS}"
            )
        left += [(part, depth + 1) for part in (item.values() if isinstance(item, dict) else item)]


def is_json(value: Any) -> bool:
    """Whether JSON can hold a value unchanged, and it is nested at most MAX_DEPTH deep."""
    try:
        require_json(value, "a value", sys.maxsize)
    except InvalidInputError:
        return False
    return True


def json_line(value: Any) -> str:
    """Return JSON text on one line; characters that some readers take for the end of a line are escaped."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).translate(_BREAKS)
