"""The settings of a game's ruleset in words. The engine defines the settings and their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.utils.translation import gettext_lazy, ngettext

from engine.record.kinds import KINDS
from engine.record.setting import settings_of
from games.models.game import Kind

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class SettingWords:
    """The label of a setting, a sentence for each of its values, and the ruling behind it (empty:
    none).

    A setting with numbers as values has no `sentences`.
    """

    label: StrOrPromise
    ruling: str
    sentences: Mapping[Any, StrOrPromise]


class AgreedRule(NamedTuple):
    """A rule on which a table agreed: the sentence, and the ruling behind it (empty: none)."""

    sentence: StrOrPromise
    ruling: str


WORDS: Final[Mapping[tuple[str, str], SettingWords]] = {
    (Kind.BLUFF, "exact"): SettingWords(
        gettext_lazy("Exact hit"),
        "B9",
        {
            "all": gettext_lazy("An exact hit costs every player but the bidder one die."),
            "challenger": gettext_lazy("An exact hit costs the challenger one die, nobody else."),
            "protected": gettext_lazy(
                "An exact hit costs every player but the bidder one die; players who are neither "
                "bidder nor challenger keep their last one."
            ),
            "giveaway": gettext_lazy(
                "After an exact hit the challenger gives one die to the bidder."
            ),
        },
    ),
    (Kind.BLUFF, "reroll"): SettingWords(
        gettext_lazy("Laying out and rerolling"),
        "B14",
        {
            True: gettext_lazy("When bidding, you may lay out dice and reroll the others."),
            False: gettext_lazy("No laying out, no rerolling."),
        },
    ),
    (Kind.BLUFF, "dice"): SettingWords(gettext_lazy("Dice at the start"), "", {}),
    (Kind.BLUFF, "scoring"): SettingWords(
        gettext_lazy("What results show"),
        "B13",
        {
            "cntdice": gettext_lazy(
                "Results show places and dice scores (cntdice): how many dice had left the game "
                "when each player went out."
            ),
            "placement": gettext_lazy("Results show places only."),
        },
    ),
    (Kind.LUEGEN_KNIFFEL, "truth"): SettingWords(
        gettext_lazy("What counts as true"),
        "K3",
        {
            "exact": gettext_lazy("An announcement is true when it names the points exactly."),
            "at_least": gettext_lazy(
                "An announcement is true when the dice score at least its points."
            ),
        },
    ),
    (Kind.LUEGEN_KNIFFEL, "allow_zero"): SettingWords(
        gettext_lazy("Zero points"),
        "K2",
        {
            True: gettext_lazy("Zero points may be announced."),
            False: gettext_lazy("Zero points can’t be announced."),
        },
    ),
}
"""The words by the kind of game and the setting's name."""


def value_in_words(kind: str, name: str, value: Any) -> StrOrPromise:
    """Return the value of a setting as a sentence."""
    sentences = WORDS[kind, name].sentences
    if sentences:
        return sentences[value]
    return ngettext("%(count)d die for each player.", "%(count)d dice for each player.", value) % {
        "count": value
    }


def rules_in_words(kind: str, rules: Mapping[str, Any]) -> list[AgreedRule]:
    """Return the settings given in `rules` as sentences, in the order of the ruleset."""
    agreed = []
    for setting in settings_of(KINDS[kind]):
        name = setting.name
        if name in rules:
            sentence = value_in_words(kind, name, rules[name])
            agreed.append(AgreedRule(sentence, WORDS[kind, name].ruling))
    return agreed
