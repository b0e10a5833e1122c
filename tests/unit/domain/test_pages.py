"""Lists that say whether they stopped at a limit."""

from graph_memory.domain.pages import Page, page_of


def test_a_page_is_a_list_that_tells_whether_there_is_more() -> None:
    assert page_of([1, 2, 3], 3) == [1, 2, 3]
    assert not page_of([1, 2, 3], 3).truncated
    stopped = page_of([1, 2, 3, 4], 3)
    assert (list(stopped), stopped.truncated) == ([1, 2, 3], True)
    assert not Page().truncated
