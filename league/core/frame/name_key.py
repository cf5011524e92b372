"""How names are compared: the key by which lists are sorted, the words that a search looks for, and
what is close.

Each is computed alike by Python and by PostgreSQL, which needs neither ICU nor an extension for it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from django.contrib.postgres.search import SearchVectorField
from django.db import models

MARKS: Final = (
    r"[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff"
    r"\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]"
)
"""Accents and other marks on letters, as a pattern of Python and of PostgreSQL alike."""
LETTERS: Final = (
    "łŁøØđĐðÐħĦıŧŦŋŊəƏɓƁɖƉɗƊɛƐƙƘɔƆς",
    "llooddddhhittnneebbddddeekkooσ",
)
"""Letters that Unicode doesn't decompose, and the base letters by which they are sorted and
found."""
LIGATURES: Final = {
    "ß": "ss",
    "ẞ": "ss",
    "æ": "ae",
    "Æ": "ae",
    "œ": "oe",
    "Œ": "oe",
    "þ": "th",
    "Þ": "th",
}
BETWEEN_WORDS: Final = (
    r"""[-\u00a0 _.,;:/()|"'´`\u02bb\u02bc\u2010-\u2015\u2018-\u201f\u2032\u2039\u203a\u2212«»]+"""
)
"""What stands between the words of a name, as a pattern of Python and of PostgreSQL alike."""
LONGEST: Final = 200
"""Characters of a text that is looked for in names and handles: no two of them have more
together."""
SUGGESTED: Final = 5
"""The most names to suggest to somebody whose search found nobody."""
DIGITS: Final = 16
"""The most digits of a number that is sorted by its value."""
_NUMBER: Final = r"([0-9]+)"
_PADDED: Final = rf"0*([0-9]{{{DIGITS},}})"
_LETTERS: Final = str.maketrans(*LETTERS) | {
    ord(letter): text for letter, text in LIGATURES.items()
}


def folded(text: str) -> str:
    """The words of a text without capitals and accents, with one blank between them."""
    base = re.sub(MARKS, "", unicodedata.normalize("NFKD", text).lower()).translate(_LETTERS)
    return re.sub(BETWEEN_WORDS, " ", base).strip(" ")


def folded_words(text: str) -> list[str]:
    """The words of a text, folded."""
    return folded(text).split()


def name_key(name: str) -> str:
    """The text by whose code points a name is sorted: folded (DIN 5007-1), numbers by their
    value."""
    padded = re.sub(_NUMBER, "0" * DIGITS + r"\1", folded(name))
    return re.sub(_PADDED, r"\1", padded)


def _folding() -> str:
    """The expression by which PostgreSQL does what `folded` does."""
    sql = (
        f"regexp_replace(lower(pg_catalog.normalize(%(expressions)s, 'NFKD')), '{MARKS}', '', 'g')"
    )
    sql = f"translate({sql}, '{LETTERS[0]}', '{LETTERS[1]}')"
    for letter, text in LIGATURES.items():
        sql = f"replace({sql}, '{letter}', '{text}')"
    between = BETWEEN_WORDS.replace("'", "''")
    return f"btrim(regexp_replace({sql}, '{between}', ' ', 'g'))"


class Folded(models.Func):
    """Texts with a blank between them, as `folded` folds them."""

    template = _folding()
    arg_joiner = " || ' ' || "
    output_field = models.TextField(db_collation="C")


class NameKey(Folded):
    """The key of a name, as `name_key` gives it."""

    template = (
        f"regexp_replace(regexp_replace({_folding()}, '{_NUMBER}', '{'0' * DIGITS}\\1', 'g'), "
        f"'{_PADDED}', '\\1', 'g')"
        ' COLLATE "C"'
    )


class FoldedWords(models.Func):
    """The words of a folded text as lexemes, without any of PostgreSQL's dictionaries: names aren't
    stemmed."""

    template = "array_to_tsvector(array_remove(string_to_array(%(expressions)s, ' '), ''))"
    output_field = SearchVectorField()


class Shared(models.Func):
    """How many pieces, an array of texts, stand in a folded text with a blank around it."""

    template = "(SELECT count(*) FROM unnest(%(expressions)s || ' ', piece) > 0)"
    arg_joiner = ") piece WHERE strpos(' ' || "
    output_field = models.IntegerField()


def pieces(words: Iterable[str]) -> list[str]:
    """The beginnings of folded words, and each three letters in a row, with a blank around each
    word."""
    padded = [f" {word} " for word in words]
    beginnings = {word[:2] for word in padded}
    return sorted(
        beginnings | {word[start : start + 3] for word in padded for start in range(len(word) - 2)}
    )


def distance(word: str, other: str) -> int:
    """The least number of letters added, left out, replaced, or swapped with the next that makes
    one word the other.

    The optimal string alignment distance (Damerau 1964).
    """
    before: Sequence[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(word, start=1):
        two_before, before, row = before, row, [place]
        for column, other_letter in enumerate(other, start=1):
            steps = min(
                before[column] + 1,
                row[column - 1] + 1,
                before[column - 1] + (letter != other_letter),
            )
            swapped = (
                place > 1
                and column > 1
                and word[place - 2 : place] == other[column - 2 : column][::-1]
            )
            row.append(min(steps, two_before[column - 2] + 1) if swapped else steps)
    return row[-1]


def _letters_apart(word: str, other: str) -> int:
    """The letters that one word has and the other hasn't: never more than the distance, and found
    much faster."""
    letters, other_letters = Counter(word), Counter(other)
    return max((letters - other_letters).total(), (other_letters - letters).total())


def slips(words: Sequence[str], names: Sequence[str]) -> int | None:
    """How many slips make words of a name those that somebody looked for, all folded; None where
    they are too many.

    A word of three letters may have one slip, one of six two.
    """
    total = 0
    distinct = set(names)
    for word in words:
        allowed = 2 if len(word) >= 6 else int(len(word) >= 3)
        near = [other for other in distinct if _letters_apart(word, other) <= allowed]
        least = min((distance(word, other) for other in near), default=allowed + 1)
        if least > allowed:
            return None
        total += least
    return total


def closest_names(text: str, names: Mapping[str, str]) -> list[str]:
    """The names, by what each is found by, that somebody may have meant by a text: at most
    `SUGGESTED`, the fewest slips first."""
    words = folded_words(text[:LONGEST])
    counted = (
        {name: slips(words, folded_words(looked_at)) for name, looked_at in names.items()}
        if words
        else {}
    )
    close = [(count, name_key(name), name) for name, count in counted.items() if count is not None]
    return [name for _, _, name in sorted(close)[:SUGGESTED]]
