"""Links the names in proposals to entities: one that the episode names, the one it is about, or a new one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from graph_memory.domain import identifiers
from graph_memory.domain.name_forms import normalise, words
from graph_memory.domain.records import Entity, Episode
from graph_memory.domain.wording import with_article
from graph_memory.entities.aliases import name_of
from graph_memory.entities.normalization import places, slug
from graph_memory.episodes.quotes import Quote
from graph_memory.errors import brief
from graph_memory.extraction.pronouns import means_speaker, names_nobody
from graph_memory.extraction.spoken_of import another_named
from graph_memory.schema.schema import Schema


class Fate(StrEnum):
    """The decision about a candidate, as far as it can be made before the transaction."""

    COMMIT = "commit"
    UNCHANGED = "unchanged"
    WEAK = "weak"
    REVIEW = "review"
    STALE = "stale"
    REFUSE = "refuse"


class SettledError(Exception):
    """Ends the judging of a candidate, because its fate is decided."""

    def __init__(self, fate: Fate, reason: str) -> None:
        super().__init__(reason)
        self.fate = fate
        self.reason = reason


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity that a text names for the first time.

    Attributes:
        key: key made from the name.
        name: the name in the text.
        kinds: its kinds.
    """

    key: str
    name: str
    kinds: tuple[str, ...]


@dataclass(slots=True)
class Resolver:
    """Resolves the names in the proposals of one answer.

    Attributes:
        schema: declares the kinds.
        episode: the episode that was read.
        about: key of the entity that "I" and "my" mean; None: it is unknown.
        shown: by key, the entities that the prompt showed to the model.
        known: by name in the proposals, the entities that have it.
    """

    schema: Schema
    episode: Episode
    about: str | None
    shown: Mapping[str, Entity]
    known: Mapping[str, Sequence[Entity]]
    _new: dict[str, NewEntity] = field(default_factory=dict)

    def resolve(
        self, said: str, kinds: Sequence[str], role: str, of: tuple[Quote, str, str] | None = None
    ) -> tuple[str, NewEntity | None]:
        """Return the key of the entity that a name means, and the entity itself if it is new.

        Args:
            said: the name or key.
            kinds: the kinds that are allowed; empty: any.
            role: the role of the name, for reasons: `subject` or `value`.
            of: for a subject, the evidence about it, and the value and the attribute in words.

        Raises:
            SettledError: the name means no entity, several entities, or an entity of another kind.
            InvalidInputError: the text cannot be a name.
        """
        if self.about is not None and (said == self.about or means_speaker(said)):
            other = None if of is None else self._another(of, kinds)
            if other is not None:
                raise SettledError(
                    Fate.REVIEW,
                    f"the evidence names {brief(other)}, so {role} {brief(said)} may be wrong: about= stands for "
                    "sentences that name nobody",
                )
            return self.about, None
        found = self.known.get(said, ())
        fitting = [entity for entity in found if self._fits(entity.kinds, kinds)]
        fitting += self._rivals(fitting[0], kinds) if len(fitting) == 1 else []
        if len(fitting) == 1 and (fitting[0].key in self.shown or stands_in(self.episode.text, said)):
            return fitting[0].key, None
        if len(fitting) == 1:
            raise SettledError(Fate.REVIEW, f"{role} {brief(said)} is known, but the episode does not name it")
        if fitting:
            could = ", ".join(sorted(entity.key for entity in fitting))
            raise SettledError(Fate.REVIEW, f"{role} {brief(said)} could be {could}")
        if found:
            raise self._of_another_kind(said, found[0].key, found[0].kinds, kinds, role)
        return self._introduce(said, kinds, role)

    def _another(self, of: tuple[Quote, str, str], kinds: Sequence[str]) -> str | None:
        """Return whom evidence names, where it does not name the one whom the episode is about."""
        assert self.about is not None
        quote, value, attribute = of
        about = self.shown.get(self.about)
        called = {self.about} if about is None else {about.key, about.name, *about.aliases}
        if any(stands_in(quote.text, name) for name in called):
            return None
        others = (one for one in self.shown.values() if one.key != self.about and self._fits(one.kinds, kinds))
        known = {name for one in others for name in (one.key, one.name, *one.aliases)} - called
        return another_named(self.episode.text, quote, known, value, attribute)

    def _rivals(self, entity: Entity, kinds: Sequence[str]) -> list[Entity]:
        """Return other entities that the text may mean: those with every name that the text uses for this one."""
        called = [name for name in _names(entity) if stands_in(self.episode.text, name)]
        others = [one for one in self.shown.values() if one.key != entity.key and self._fits(one.kinds, kinds)]
        if stands_exactly(self.episode.text, entity.key):  # and not one that differs in case alone
            others = [one for one in others if normalise(one.key) != normalise(entity.key)]
        rivals = [one for one in others if any(name in called for name in _names(one))]
        theirs = {name for one in rivals for name in _names(one)}
        return rivals if theirs.issuperset(called) else []

    def _introduce(self, said: str, kinds: Sequence[str], role: str) -> tuple[str, NewEntity]:
        if names_nobody(said):
            raise SettledError(Fate.REFUSE, f"{role} {brief(said)} names nobody: give the entity with about=")
        if not stands_in(self.episode.text, said):
            raise SettledError(Fate.REFUSE, f"{role} {brief(said)} is neither known nor named in the episode")
        name = name_of(said, role)
        key = identifiers.entity_key(slug(name))
        named = self._new.setdefault(key, NewEntity(key, name, tuple(kinds)))
        if not self._fits(named.kinds, kinds):
            raise self._of_another_kind(said, key, named.kinds, kinds, role)
        return key, named

    def _fits(self, own: Sequence[str], kinds: Sequence[str]) -> bool:
        return not own or not kinds or any(self.schema.is_a(one, kind) for one in own for kind in kinds)

    @staticmethod
    def _of_another_kind(said: str, key: str, own: Sequence[str], kinds: Sequence[str], role: str) -> SettledError:
        return SettledError(
            Fate.REVIEW,
            f"{role} {brief(said)} is {key}, {' and '.join(map(with_article, own))}, and not "
            f"{' or '.join(map(with_article, kinds))}",
        )


def _names(entity: Entity) -> list[str]:
    return [normalise(name) for name in (entity.key, entity.name, *entity.aliases)]


def is_named(text: str, entity: Entity) -> bool:
    """Whether a text names an entity: by a name, an alias, or its key in a form in which keys are written."""
    called = (entity.key, entity.name, *entity.aliases)
    return any(stands_in(text, name) for name in called) or any(
        entity.key in place.phrase.keys for place in places(text)
    )


@lru_cache(maxsize=8)  # all names of an answer are looked for in one text
def _words_of(text: str) -> list[str]:
    return words(text)


def stands_exactly(text: str, key: str) -> bool:
    """Whether a key stands in a text as it is written, and is no part of a word."""
    return re.search(rf"(?<!\w){re.escape(key)}(?!\w)", unicodedata.normalize("NFC", text)) is not None


def stands_in(text: str, name: str) -> bool:
    """Whether a text contains the words of a name in a row."""
    sought, found = words(name), _words_of(text)
    if len(sought) == 1:
        return sought[0] in found
    size = len(sought)
    firsts = (i for i, pair in enumerate(pairwise(found)) if list(pair) == sought[:2])
    return bool(sought) and any(found[i : i + size] == sought for i in firsts)
