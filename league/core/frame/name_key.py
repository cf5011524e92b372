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
    """Return the words of a text in lower case, without accents, separated by single blanks."""
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
    """The SQL function for `folded`; several texts are joined by blanks."""

    template = _folded_sql()
    arg_joiner = " || ' ' || "
    output_field = models.TextField(db_collation="C")


class NameKey(Folded):
    """The SQL function for `name_key`, the sort key of a name."""

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
    found_pieces: set[str] = set()
    for word in words:
        padded = f" {word} "
        found_pieces.add(padded[:2])
        found_pieces.update(padded[start : start + 3] for start in range(len(padded) - 2))
    return sorted(found_pieces)


def distance(word: str, other: str) -> int:
    """Return the optimal string alignment distance of two words (Damerau 1964): the least number of
    letters added, left out, replaced, or swapped with the next."""
    row_before_previous: Sequence[int] = []
    previous_row: Sequence[int] = []
    row = list(range(len(other) + 1))
    for row_number, letter in enumerate(word, start=1):
        row_before_previous = previous_row
        previous_row = row
        row = [row_number]
        for column_number, other_letter in enumerate(other, start=1):
            steps = min(
                previous_row[column_number] + 1,
                row[column_number - 1] + 1,
                previous_row[column_number - 1] + (letter != other_letter),
            )
            is_swapped = (
                row_number > 1
                and column_number > 1
                and word[row_number - 2 : row_number]
                == other[column_number - 2 : column_number][::-1]
            )
            if is_swapped:
                steps = min(steps, row_before_previous[column_number - 2] + 1)
            row.append(steps)
    return row[-1]


def _letters_apart(word: str, other: str) -> int:
    """Return the larger number of letters that one word has and the other lacks: a fast lower bound
    of the distance."""
    letters = Counter(word)
    other_letters = Counter(other)
    return max((letters - other_letters).total(), (other_letters - letters).total())


def slips(words: Sequence[str], name_words: Sequence[str]) -> int | None:
    """Return the number of typing slips between the words of a search and those of a name, all
    folded; None if there are too many.

    A word of three letters may have one slip, a word of six letters two.
    """
    total = 0
    distinct_words = set(name_words)
    for word in words:
        allowed = _slips_allowed(word)
        candidates = [other for other in distinct_words if _letters_apart(word, other) <= allowed]
        fewest = min((distance(word, other) for other in candidates), default=allowed + 1)
        if fewest > allowed:
            return None
        total += fewest
    return total


def _slips_allowed(word: str) -> int:
    if len(word) >= 6:
        return 2
    if len(word) >= 3:
        return 1
    return 0


def closest_names(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the names that a search text may mean: at most `SUGGESTED`, those with the fewest
    slips first. `names` maps each name to its searchable text."""
    words = folded_words(text[:LONGEST])
    if not words:
        return []
    matches = []
    for name, searchable in names.items():
        slip_count = slips(words, folded_words(searchable))
        if slip_count is not None:
            matches.append((slip_count, name_key(name), name))
    return [name for _, _, name in sorted(matches)[:SUGGESTED]]
