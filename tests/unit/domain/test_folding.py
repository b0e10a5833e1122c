from graph_memory.domain.folding import folded


def test_case_and_width_make_no_difference() -> None:
    assert folded("STRASSE") == folded("straße") == folded("ＳＴＲＡＳＳＥ") == "strasse"  # noqa: RUF001


def test_what_is_folded_stays_as_it_is() -> None:
    for text in ("\u1e9b\u0323", "\u0345\u0301", "\u03d2\u0301", "ﬁ", "Ⅷ", "İ"):
        assert folded(folded(text)) == folded(text)
