"""Each setting of each game has words: what it is called, and what each of its values means."""

import pytest
from django.utils import translation

from engine.record.kinds import KINDS
from engine.record.setting import settings_of
from games.domain.ruleset import WORDS, rules_in_words, value_in_words
from games.models.game import Kind


def test_the_words_are_those_of_the_engines_settings() -> None:
    names = {(kind, setting.name) for kind in Kind.values for setting in settings_of(KINDS[kind])}
    assert WORDS.keys() == names


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_each_value_is_a_sentence_of_its_own(language: str) -> None:
    with translation.override(language):
        for kind in Kind.values:
            for setting in settings_of(KINDS[kind]):
                sentences = [
                    str(value_in_words(kind, setting.name, value)) for value in setting.choices
                ]
                assert len(set(sentences)) == len(sentences)
                assert all(sentences)


def test_what_is_left_out_is_not_stated() -> None:
    names = rules_in_words("bluff", {"dice": 1, "exact": "giveaway"})
    assert [(str(rule.sentence), rule.ruling) for rule in names] == [
        ("After an exact hit the challenger gives one die to the bidder.", "B9"),
        ("1 die for each player.", ""),
    ]
