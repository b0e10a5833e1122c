import pytest

from graph_memory.extraction.pronouns import means_speaker, names_nobody


@pytest.mark.parametrize(
    "word",
    ["I", "i'm", "My", "ich", "Ich", "wir", "je", "yo", "eu", "io", "the user", "The User", "der Nutzer", "我",
     "私", "я", "אני", "أنا", "ฉัน", "l\N{RIGHT SINGLE QUOTATION MARK}utilisateur"],
)  # fmt: skip
def test_the_speaker_is_known_in_any_language(word: str) -> None:
    assert means_speaker(word)
    assert names_nobody(word)


@pytest.mark.parametrize("word", ["she", "Sie", "er", "él", "они", "他", "someone", "jemand"])
def test_whom_a_pronoun_of_others_means_is_open(word: str) -> None:
    assert names_nobody(word)
    assert not means_speaker(word)


@pytest.mark.parametrize(
    "name",
    ["US", "IT", "EU", "Ben", "Mia", "Ella", "Meg", "Han", "Mira", "May", "Ty", "Will", "User Group", "?", ""],
)
def test_names_and_abbreviations_are_no_pronouns(name: str) -> None:
    assert not names_nobody(name)
