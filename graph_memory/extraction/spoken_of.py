"""Whether a sentence names somebody whom it may be about, so that it is not about the one who speaks. Pure.

Names that are known are found in any language. One that is not known is seen where a sentence begins with it, in
scripts with capital letters; a word that may as well be a verb, as in "Moved to Rome", is not taken for a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from graph_memory.domain.name_forms import words
from graph_memory.domain.time_words import meanings, time_words, words_of
from graph_memory.episodes.quotes import Quote

_SENTENCE_END = re.compile(r"[.!?\n;:。！？；：]\s*")  # noqa: RUF001
_TOKEN = re.compile(r"[^\W_][\w'’.-]*|[^\w\s]")  # noqa: RUF001


def _set_of(words_: str) -> frozenset[str]:
    return frozenset(words_.split())


# Who says these speaks of themselves in what follows.
_SPEAKING = _set_of(
    "i we ich wir je j nous yo nosotros nosotras eu nós io noi ik wij jag vi jeg minä ben biz я мы ми"
    " 私 僕 俺 我 我们 我們 咱们 나 저 우리 ผม ฉัน เรา أنا نحن אני אנחנו मैं हम"
) - {"me", "my", "ja"}
# After these a name is not what the sentence is about; after a first word they make it a verb.
_PREPOSITIONS = _set_of(
    "to in at for with from on of by as since near into about than like via"
    " zu nach bei mit von seit für auf an aus im am zum zur vom beim"
    " en a de con por para desde al del à au aux chez avec pour depuis du des"
    " da di per su dal nel em no na do com desde aos naar met van sinds op till hos med från"
    " в на с из от к у по до"  # noqa: RUF001
)
_DETERMINERS = _set_of(
    "a an the his her their its my your our this that these those no not back up out off over"
    " der die das den dem ein eine einen einem kein keine el la los las un una le les une"
    " il lo gli uno o os um uma"
    " het een de"
)
# A sentence may begin with these, and they are no names.
_OPENINGS = _set_of(
    "it he she they you there here now also just recently currently still always never usually often sometimes"
    " please yes no not and but or so then until after before every each all some most if when while where what"
    " who how why one two three last next only very really maybe perhaps actually finally originally"
    " got has had have is was am are were will would can could should must may might been being new both nobody"
    " somebody everybody everyone someone everything something nothing thanks thank hi hello hey dear sorry update"
    " note"
    " er sie es ihr du man hier jetzt heute gestern morgen aber und oder dann nun auch noch nicht wer wie wo bitte"
    " él ella ellos ellas usted hoy ayer mañana pero y ahora también no sí aquí que se su sus lo"
    " elle ils elles on tu vous hier aujourd demain mais et maintenant aussi ici oui non ce cette son sa ses"
    " lui lei loro oggi ieri domani ma e ora anche qui ele ela eles elas hoje ontem amanhã mas agora também aqui"
    " hij zij ze het nu vandaag gisteren maar en ook он она они оно сегодня вчера завтра но и сейчас это"
)


def another_named(text: str, quote: Quote, known: Collection[str], value: str, attribute: str) -> str | None:
    """Return the name of a person whom a quote's sentence may be about; None if it names nobody or says "I".

    Args:
        text: the episode's text.
        quote: the evidence in that text.
        known: names and keys of the entities that the sentence could be about; the speaker is not among them.
        value: the proposed value, in words; its words are not taken for a person's name.
        attribute: the attribute, in words; its words are not taken for a name either.
    """
    start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, quote.start)), default=0)
    tokens = _TOKEN.findall(text[start : quote.end])
    folded = [" ".join(words(token)) or token for token in tokens]
    of_value = frozenset(words(value))
    mine = of_value.union(words(attribute))
    ahead = next((place for place, word in enumerate(folded) if word.split("'")[0] in _SPEAKING), len(folded))
    return _known(folded[:ahead], known, mine) or _first(text, tokens, folded[:ahead], mine, of_value)


def _known(folded: Sequence[str], known: Collection[str], mine: frozenset[str]) -> str | None:
    """Return a known name that stands in a sentence before any "I", and not after a preposition."""
    sentence = words(" ".join(folded))
    for name in sorted(known):
        sought = words(name)
        size = len(sought)
        if not size or mine.issuperset(sought):
            continue
        for start in range(len(sentence) - size + 1):
            if sentence[start : start + size] == sought and (
                start == 0 or sentence[start - 1] not in _PREPOSITIONS
            ):
                return name
    return None


def _first(
    text: str, tokens: Sequence[str], folded: Sequence[str], mine: frozenset[str], of_value: frozenset[str]
) -> str | None:
    """Return the capitalised words that a sentence begins with, where they may be a name and do something."""
    size = 0
    while size < len(folded) and _is_capitalised(tokens[size]) and folded[size] not in mine:
        size += 1
    if size == 0 or size == len(folded) or _is_opening(folded[0]):
        return None
    after = folded[size]
    if not tokens[size][0].islower() or after in of_value or after in _PREPOSITIONS | _DETERMINERS:
        return None
    if size == 1 and re.search(rf"(?<!\w){re.escape(tokens[0].lower())}(?!\w)", text):
        return None  # the text uses it as a word
    return " ".join(tokens[:size])


def _is_capitalised(token: str) -> bool:
    return len(token) > 1 and token[0].isupper() and not token.isupper()


def _is_opening(word: str) -> bool:
    table, phrase = time_words(), tuple(words_of(word))
    named = any(meanings(kind, phrase) for kind in (table.months, table.weekdays))
    return word in _OPENINGS | _PREPOSITIONS | _DETERMINERS or named or phrase in table.relative
