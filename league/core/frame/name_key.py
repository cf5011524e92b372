"""How names are compared: the key for sorting, the words for searching, and close matches.

Python and PostgreSQL compute each alike; PostgreSQL needs neither ICU nor an extension."""

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
"""Accents and other marks on letters, as a pattern for both Python and PostgreSQL."""
LETTERS: Final = (
    "łŁøØđĐðÐħĦıŧŦŋŊəƏɓƁɖƉɗƊɛƐƙƘɔƆς",
    "llooddddhhittnneebbddddeekkooσ",
)
"""Letters that Unicode doesn't decompose, and the base letters for sorting and finding them."""
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
"""What separates the words of a name, as a pattern for both Python and PostgreSQL."""
LONGEST: Final = 200
"""The most characters of a search text: a name and a handle together are shorter."""
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
    """Return the words of a text without capitals and accents, separated by single blanks."""
    base = re.sub(MARKS, "", unicodedata.normalize("NFKD", text).lower()).translate(_LETTERS)
    return re.sub(BETWEEN_WORDS, " ", base).strip(" ")


def folded_words(text: str) -> list[str]:
    """Return the folded words of a text."""
    return folded(text).split()


def name_key(name: str) -> str:
    """Return the sort key of a name: folded (DIN 5007-1), numbers by value."""
    padded = re.sub(_NUMBER, "0" * DIGITS + r"\1", folded(name))
    return re.sub(_PADDED, r"\1", padded)


def _folded_sql() -> str:
    sql = (
        f"regexp_replace(lower(pg_catalog.normalize(%(expressions)s, 'NFKD')), '{MARKS}', '', 'g')"
    )
    sql = f"translate({sql}, '{LETTERS[0]}', '{LETTERS[1]}')"
    for letter, text in LIGATURES.items():
        sql = f"replace({sql}, '{letter}', '{text}')"
    between = BETWEEN_WORDS.replace("'", "''")
    return f"btrim(regexp_replace({sql}, '{between}', ' ', 'g'))"


class Folded(models.Func):
    """Texts folded as `folded` does, joined by blanks."""

    template = _folded_sql()
    arg_joiner = " || ' ' || "
    output_field = models.TextField(db_collation="C")


class NameKey(Folded):
    """The sort key of a name, as `name_key` returns it."""

    template = (
        f"regexp_replace(regexp_replace({_folded_sql()}, '{_NUMBER}', '{'0' * DIGITS}\\1', 'g'), "
        f"'{_PADDED}', '\\1', 'g')"
        ' COLLATE "C"'
    )


class FoldedWords(models.Func):
    """The words of a folded text as lexemes, without PostgreSQL's dictionaries: names aren't
    stemmed."""

    template = "array_to_tsvector(array_remove(string_to_array(%(expressions)s, ' '), ''))"
    output_field = SearchVectorField()


class Shared(models.Func):
    """The number of `pieces` (an array of texts) that occur in a folded text."""

    template = "(SELECT count(*) FROM unnest(%(expressions)s || ' ', piece) > 0)"
    arg_joiner = ") piece WHERE strpos(' ' || "
    output_field = models.IntegerField()


def pieces(words: Iterable[str]) -> list[str]:
    """Return the beginnings and all trigrams of folded words, with a blank around each word."""
    found: set[str] = set()
    for word in words:
        padded = f" {word} "
        found.add(padded[:2])
        found.update(padded[start : start + 3] for start in range(len(padded) - 2))
    return sorted(found)


def distance(word: str, other: str) -> int:
    """Return the optimal string alignment distance of two words (Damerau 1964): the least number of
    letters added, left out, replaced, or swapped with the next."""
    two_before: Sequence[int] = []
    before: Sequence[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(word, start=1):
        two_before = before
        before = row
        row = [place]
        for column, other_letter in enumerate(other, start=1):
            steps = min(
                before[column] + 1,
                row[column - 1] + 1,
                before[column - 1] + (letter != other_letter),
            )
            is_swapped = (
                place > 1
                and column > 1
                and word[place - 2 : place] == other[column - 2 : column][::-1]
            )
            if is_swapped:
                steps = min(steps, two_before[column - 2] + 1)
            row.append(steps)
    return row[-1]


def _letters_apart(word: str, other: str) -> int:
    """Return the larger number of letters that one word has and the other lacks: a fast lower bound
    of the distance."""
    letters = Counter(word)
    other_letters = Counter(other)
    return max((letters - other_letters).total(), (other_letters - letters).total())


def slips(words: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the number of slips between the words of a search and those of a name, all folded;
    None if there are too many.

    A word of three letters may have one slip, one of six letters two.
    """
    total = 0
    distinct = set(names)
    for word in words:
        allowed = _slips_allowed(word)
        near = [other for other in distinct if _letters_apart(word, other) <= allowed]
        least = min((distance(word, other) for other in near), default=allowed + 1)
        if least > allowed:
            return None
        total += least
    return total


def _slips_allowed(word: str) -> int:
    if len(word) >= 6:
        return 2
    return 1 if len(word) >= 3 else 0


def closest_names(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the names that a search text may mean: at most `SUGGESTED`, the fewest slips first.
    `names` has the searchable text of each name."""
    words = folded_words(text[:LONGEST])
    if not words:
        return []
    close = []
    for name, searchable in names.items():
        count = slips(words, folded_words(searchable))
        if count is not None:
            close.append((count, name_key(name), name))
    return [name for _, _, name in sorted(close)[:SUGGESTED]]
