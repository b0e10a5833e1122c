# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.
"""Reads of a tenant's memory: facts at an instant, their history and provenance, and searches of episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from graph_memory._sync.tenant.base import TenantPart
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


class TenantReads(TenantPart):
    """Reads. By default they are as of now (the database's clock), by the present state of the ledger."""

    def current(self, subject: str, attribute: str) -> Fact | None:
        """Return the fact or end that holds now, by the database's clock; None where nothing is known."""
        [fact] = self._holding([(subject, attribute)], None, None)
        return fact

    def as_of(self, subject: str, attribute: str, at: Instant, known_at: Instant | None = None) -> Fact | None:
        """Return the fact or end (`value` None, `ended` true) that held at an instant; None: nothing is known.

        Args:
            subject: an entity's key.
            attribute: an attribute of cardinality one.
            at: the instant in valid time.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
        """
        [fact] = self._holding([(subject, attribute)], _required(at), known_at)
        return fact

    def as_of_many(
        self, keys: Iterable[tuple[str, str]], at: Instant, known_at: Instant | None = None
    ) -> list[Fact | None]:
        """Return what `as_of` returns for each (subject, attribute) pair, in order, in one round trip."""
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
        """Return the values of an attribute of cardinality many that held at an instant, in a fixed order."""
        key, attribute = identifiers.entity_key(subject), identifiers.attribute_name(attribute)
        self._attributes.look_up([attribute])
        self._require(attribute, Cardinality.MANY, "use current() or as_of()")
        return self._state(key, [attribute], at, known_at)

    def state(
        self, subject: str, at: Instant | None = None, known_at: Instant | None = None
    ) -> dict[str, Fact | list[Fact]]:
        """Return all facts of a subject that held at an instant, by attribute, without ends.

        For an attribute of cardinality many the value is a list of facts.
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
            attribute: an attribute of either cardinality; segments of many values are listed together.
            known_at: use the state of the ledger at this instant of recorded time; None: its present state.
            coalesce: join segments that touch and have equal typed values; the first fact stands for them.
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
        """Return a fact with its first segment, live or retracted; raises NotFoundError where there is none."""
        return (self._reader.fact(identifiers.fact_id(fact_id)))[1]

    def explain(self, fact_id: str) -> Explanation:
        """Return a fact's episodes and quotes, the fact that it replaced, and the facts that replaced it.

        Raises:
            NotFoundError: the fact does not exist.
        """
        return self._reader.explain(identifiers.fact_id(fact_id))

    def citations(self, fact_id: str) -> tuple[Citation, ...]:
        """Return the episodes that support a fact, with their quotes; the first is the episode that said it first.

        These are all of them, while `explain` holds at most 100, and they take less work.

        Raises:
            NotFoundError: the fact does not exist.
        """
        return self._reader.citations(self.fact(fact_id))

    def entity(self, key: str) -> Entity:
        """Return the entity of a key; raises NotFoundError, which names the key where `key` is a name."""
        key = identifiers.entity_key(key)
        [found] = self._hinting(lambda: self._reader.entities([key], required=key))
        return entity_from_row(self.name, found)

    def episode(self, id: str) -> Episode:
        """Return an episode; raises NotFoundError where the tenant has no such episode."""
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

        The results are evidence, not authority: an outdated episode may match better than its correction. Episodes
        with equal scores are in the order in which they were recorded.

        Args:
            query: any text; its first 256 words count.
            k: the most episodes to return, 1 to 1,000.
            mode: `text` (by words), `vector` (by meaning) or `hybrid`; None: hybrid where the memory has
                embeddings, else text.
            kinds: search only episodes of these kinds; None: all.
            sources: search only episodes from these sources; None: all.
            session: search only this session; None: all.
            between: a half-open pair of instants, either of which may be None: search only episodes that were said
                in this interval; where the time of saying is unknown, the time of recording counts.
            about: an entity's key: search only episodes that support a fact about this entity, or a fact that
                refers to it.
            at: search only episodes that were said until this instant, and judge facts at it. None: search all,
                and judge facts as of now.
            known_at: search only episodes that were recorded until this instant; None: all.
            fusion: how a hybrid search combines words and vectors: by `weights` of scores that are scaled so that
                the best is one, or by `ranks` (reciprocal rank fusion, Cormack et al. 2009).
            weights: the weights of words and of vectors in a hybrid search.
            neighbours: the share of an episode's score that the episodes before and after it in its session gain,
                0 to 1; an episode may be found by that share alone.

        Raises:
            InvalidInputError: an argument is not allowed, or the search needs vectors and the memory was opened
                without embeddings.
            SchemaMismatchError: the search needs vectors, and those in the database are from another model.
            UnavailableError: the search needs vectors, and the model does not answer.
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
                else ", because it is neither recorded nor named in many"
            )
            raise InvalidInputError(f"attribute {attribute!r} has cardinality {found}{known}: {instead}")


def _pair(key: Sequence[str]) -> tuple[str, str]:
    if not isinstance(key, tuple | list) or len(key) != 2:
        raise InvalidInputError(f"key {brief(key)} must be a pair of a subject and an attribute")
    return identifiers.entity_key(key[0]), identifiers.attribute_name(key[1])


def _required(at: Instant | None) -> Instant:
    if at is None:
        raise InvalidInputError("at None is not an instant: to read the present, use current()")
    return at


def _instant(value: Instant | None, name: str) -> datetime | None:
    return None if value is None else parse_instant(value, name)


def _order(fact: Fact) -> tuple[str, datetime, tuple[str, str]]:
    assert fact.value is not None
    return fact.attribute, fact.valid_from, identity(fact.value)
