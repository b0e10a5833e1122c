"""Where the database is, checked before the driver: no message tells a password."""

import pytest

from graph_memory.errors import InvalidInputError
from graph_memory.storage.address import Address


@pytest.mark.parametrize("uri", ["neo4j://127.0.0.1:7687", "bolt+s://db.example.org", "neo4j+ssc://[::1]:7687"])
def test_an_address_with_one_of_the_drivers_schemes_is_taken(uri: str) -> None:
    assert Address(uri, ("neo4j", "secret")).uri == uri


@pytest.mark.parametrize(
    "uri", [5, "", "127.0.0.1:7687", "http://127.0.0.1:7474", "bolt://", "bolt://127.0.0.1:abc", "bolt://h:99999"]
)
def test_anything_else_is_refused_with_an_example(uri: str) -> None:
    with pytest.raises(InvalidInputError, match="neo4j://127"):
        Address(uri)


def test_credentials_in_the_address_are_refused_without_repeating_them() -> None:
    with pytest.raises(InvalidInputError) as refusal:
        Address("bolt://neo4j:s3cret@127.0.0.1")
    assert "s3cret" not in str(refusal.value)


@pytest.mark.parametrize(
    "auth", ["neo4j", ("neo4j",), ("neo4j", 5), 5, {"neo4j": "s3cret"}, ("neo4j", "s3cret", "x")]
)
def test_credentials_of_another_shape_are_refused_without_repeating_them(auth: object) -> None:
    with pytest.raises(InvalidInputError, match="pair of a user name and a password") as refusal:
        Address("bolt://127.0.0.1", auth)  # type: ignore[arg-type]
    assert "s3cret" not in str(refusal.value)


def test_text_that_cannot_be_sent_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="password holds a lone surrogate"):
        Address("bolt://127.0.0.1", ("neo4j", "\ud800"))
    with pytest.raises(InvalidInputError, match="database"):
        Address("bolt://127.0.0.1", database=5)  # type: ignore[arg-type]


def test_a_repr_shows_no_password() -> None:
    assert "s3cret" not in repr(Address("bolt://127.0.0.1", ("neo4j", "s3cret")))
