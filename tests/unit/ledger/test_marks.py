"""Whether what was read of some slots is of one state."""

from graph_memory.domain.instants import FIRST_INSTANT, LAST_INSTANT, from_micros
from graph_memory.ledger.marks import SlotMark, last_known, settled


def test_entries_are_of_one_state_where_no_write_is_done_or_begun_between_the_marks() -> None:
    still, moving = SlotMark(5, 5, False), SlotMark(5, 9, False)
    assert settled([still, still], None)
    assert not settled([still, moving], None)
    assert settled([still, moving], from_micros(5)), "the write that has begun is later than what is asked for"
    assert not settled([still, moving], from_micros(6))


def test_a_slot_that_bears_no_mark_is_new_or_not_to_be_seen_yet() -> None:
    unknown, coming = SlotMark(None, None, False), SlotMark(None, None, True)
    assert unknown.unknown
    assert settled([unknown], None)
    assert not settled([coming], None)


def test_what_is_read_instead_is_what_was_known_at_the_last_write_that_is_done() -> None:
    marks = [SlotMark(5, 9, False), SlotMark(None, None, False), SlotMark(None, None, True)]
    assert last_known(marks, None) == [from_micros(5), FIRST_INSTANT, LAST_INSTANT]
    assert last_known(marks, from_micros(3)) == [from_micros(3), FIRST_INSTANT, from_micros(3)]
