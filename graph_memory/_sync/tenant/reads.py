# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""What a tenant's memory can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from graph_memory._sync.tenant.base import Bound
from graph_memory.domain import identifiers
from graph_memory.domain.arguments import listed
from graph_memory.domain.instants import Instant, parse_instant
from graph_memory.domain.records import Cardinality, Citation, Entity, Episode, Explanation, Fact
from graph_memory.domain.slots import slot_key
from graph_memory.domain.values import identity
from graph_memory.entities.rows import entity_from_row
from graph_memory.errors import InvalidInputError, brief
from graph_memory.search.query import NEIGHBOURS, WEIGHTS, Fusion, SearchMode, search_of
from graph_memory.search.records import Evidence


class TenantReads(Bound):
    """Reads: by default of now, by the database's clock, and of what is known now."""

    def current(self, subject: str, attribute: str) -> Fact | None:
        """Return what holds now by the database's clock: a fact, an end, or None where nothing is known."""
        [fact] = self._holding([(subject, attribute)], None, None)
        return fact

    def as_of(self, subject: str, attribute: str, at: Instant, known_at: Instant | None = None) -> Fact | None:
        """Return what held at an instant: a fact, an end (`value` None, `ended` true), or None.

        Args:
            subject: an entity's key.
            attribute: of cardinality one.
            at: the instant in valid time.
            known_at: by what the ledger knew at this instant; None: by what it knows now.
        """
        [fact] = self._holding([(subject, attribute)], _required(at), known_at)
        return fact

    def as_of_many(
        self, keys: Iterable[tuple[str, str]], at: Instant, known_at: Instant | None = None
    ) -> list[Fact | None]:
        """Return what held at an instant for (subject, attribute) pairs, in their order, in one round trip."""
        return self._holding(listed("keys", keys), _required(at), known_at)

    def _holding(
        self, keys: Sequence[tuple[str, str]], at: Instant | None, known_at: Instant | None
    ) -> list[Fact | None]:
        checked = [_pair(key) for key in keys]
        self._attributes.look_up(attribute for _, attribute in checked)
        for _, attribute in checked:
            self._require(attribute, Cardinality.ONE, "use values(), which returns all of them")
        when, known = _instant(at, "at"), _instant(known_at, "known_at")

        def read(kept: Callable[[str], str]) -> list[Fact | None]:
            slots = [slot_key(self.name, kept(key), attribute) for key, attribute in checked]
            return self._reader.holding(slots, when, known)

        return self._following((key for key, _ in checked), known, read, all)

    def values(
        self, subject: str, attribute: str, at: Instant | None = None, known_at: Instant | None = None
    ) -> list[Fact]:
        """Return the values that held at an instant of an attribute of cardinality many, in a fixed order."""
        key, attribute = identifiers.entity_key(subject), identifiers.attribute_name(attribute)
        self._attributes.look_up([attribute])
        self._require(attribute, Cardinality.MANY, "use current() or as_of()")
        return self._state(key, [attribute], at, known_at)

    def state(
        self, subject: str, at: Instant | None = None, known_at: Instant | None = None
    ) -> dict[str, Fact | list[Fact]]:
        """Return all that held of a subject at an instant, by attribute; what ended is left out.

        An attribute of cardinality many has a list.
        """
        held = self._state(identifiers.entity_key(subject), None, at, known_at)
        self._attributes.look_up(fact.attribute for fact in held)
        state: dict[str, Fact | list[Fact]] = {}
        for fact in held:
            if self._attributes.recorded(fact.attribute) is Cardinality.ONE:
                state[fact.attribute] = fact
                continue
            of_attribute = state.setdefault(fact.attribute, [])
            assert isinstance(of_attribute, list)
            of_attribute.append(fact)
        return state

    def _state(
        self, key: str, attributes: list[str] | None, at: Instant | None, known_at: Instant | None
    ) -> list[Fact]:
        when, known = _instant(at, "at"), _instant(known_at, "known_at")

        def read(kept: Callable[[str], str]) -> list[Fact]:
            return self._reader.state([kept(key)], attributes, when, known)

        held = self._following([key], known, read)
        return sorted((fact for fact in held if not fact.ended), key=_order)

    def history(
        self, subject: str, attribute: str, known_at: Instant | None = None, coalesce: bool = False
    ) -> list[Fact]:
        """Return the segments of an attribute in time order, ends included.

        Args:
            subject: an entity's key.
            attribute: of either cardinality; the values of many are listed together.
            known_at: by what the ledger knew at this instant; None: by what it knows now.
            coalesce: join touching segments of equal typed value; the first one's fact stands for them.
        """
        key, attribute = identifiers.entity_key(subject), identifiers.attribute_name(attribute)
        self._attributes.look_up([attribute])
        one, known = self._attributes.cardinality(attribute) is Cardinality.ONE, _instant(known_at, "known_at")

        def read(kept: Callable[[str], str]) -> list[Fact]:
            if one:
                slots = [slot_key(self.name, kept(key), attribute)]
                return self._reader.history(slots, known, coalesce)
            return self._reader.history_of(kept(key), attribute, known, coalesce)

        return self._following([key], known, read)

    def fact(self, fact_id: str) -> Fact:
        """Return a ledger entry with its first segment, live or not; raises NotFoundError."""
        return (self._reader.fact(identifiers.fact_id(fact_id)))[1]

    def explain(self, fact_id: str) -> Explanation:
        """Return where a fact comes from, what it replaced and what became of it; raises NotFoundError."""
        return self._reader.explain(identifiers.fact_id(fact_id))

    def citations(self, fact_id: str) -> tuple[Citation, ...]:
        """Return the episodes that support a fact, with their quotes: the one that said it first, then the others.

        A part of `explain`, at the cost of the citations alone.

        Raises:
            NotFoundError: the fact does not exist.
        """
        return self._reader.citations(self.fact(fact_id))

    def entity(self, key: str) -> Entity:
        """Return the entity of a key; raises NotFoundError, which tells whose name it is where it is one."""
        key = identifiers.entity_key(key)
        [found] = self._hinting(lambda: self._reader.entities([key], required=key))
        return entity_from_row(self.name, found)

    def episode(self, id: str) -> Episode:
        """Return an episode; raises NotFoundError."""
        return self._episodes.get(identifiers.episode_id(id))

    def search(
        self,
        query: str,
        k: int = 10,
        mode: SearchMode | Literal["hybrid", "text", "vector"] | None = None,
        kinds: Iterable[str] | None = None,
        sources: Iterable[str] | None = None,
        session: str | None = None,
        between: tuple[Instant | None, Instant | None] | None = None,
        about: str | None = None,
        at: Instant | None = None,
        known_at: Instant | None = None,
        fusion: Fusion | Literal["weights", "ranks"] = Fusion.WEIGHTS,
        weights: tuple[float, float] = WEIGHTS,
        neighbours: float = NEIGHBOURS,
    ) -> list[Evidence]:
        """Return the episodes that match a query best, the best first, with the facts that they support.

        Evidence, not authority: a stale episode may match better than its correction. Equal scores are in the
        order of recording.

        Args:
            query: any text; 256 of its words count.
            k: how many episodes at the most, 1 to 1,000.
            mode: by `text` (words), by `vector` (meaning), or `hybrid`; None: hybrid where the memory has
                embeddings, else text.
            kinds: of episodes; None: all.
            sources: of episodes; None: all.
            session: only of this one; None: of any.
            between: a pair of instants, half-open, either of which may be None: only what was said then, or
                recorded then where it is not known when it was said.
            about: an entity's key: only episodes that support a fact of it, or a fact whose value it is.
            at: only what was said until this instant; facts are judged at it. None: all; now.
            known_at: only what was recorded until this instant; None: all.
            fusion: `weights` of scores, each scaled so that the best is one, or reciprocal `ranks`.
            weights: of words and of vectors in a hybrid search.
            neighbours: the share of its score that a turn lends to those before and after it in its session, which
                may be found by that alone; 0 to 1.

        Raises:
            InvalidInputError: an argument is not allowed, or vectors are asked for and the memory was opened
                without embeddings.
            SchemaMismatchError: vectors are asked for, and those of the database are from another model.
            UnavailableError: vectors are asked for, and the model does not answer.
        """
        search = search_of(
            query,
            k,
            mode=mode,
            kinds=kinds,
            sources=sources,
            session=session,
            between=between,
            about=about,
            at=at,
            known_at=known_at,
            fusion=fusion,
            weights=weights,
            neighbours=neighbours,
        )
        if search.about is not None:
            kept = self._kept([search.about], search.known_at)
            search = replace(search, about=kept.get(search.about, search.about))
        return self._searcher.search(search)

    def _require(self, attribute: str, wanted: Cardinality, instead: str) -> None:
        found = self._attributes.cardinality(attribute)
        if found is not wanted:
            known = (
                ""
                if self._attributes.is_recorded(attribute)
                else ", as it is neither recorded nor declared in many"
            )
            raise InvalidInputError(f"attribute {attribute!r} has cardinality {found}{known}: {instead}")


def _pair(key: Sequence[str]) -> tuple[str, str]:
    if not isinstance(key, tuple | list) or len(key) != 2:
        raise InvalidInputError(f"key {brief(key)} must be a pair of a subject and an attribute")
    return identifiers.entity_key(key[0]), identifiers.attribute_name(key[1])


def _required(at: Instant | None) -> Instant:
    if at is None:
        raise InvalidInputError("at None is no instant: for what holds now, use current()")
    return at


def _instant(value: Instant | None, name: str) -> datetime | None:
    return None if value is None else parse_instant(value, name)


def _order(fact: Fact) -> tuple[str, datetime, tuple[str, str]]:
    assert fact.value is not None
    return fact.attribute, fact.valid_from, identity(fact.value)
