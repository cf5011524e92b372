"""The ruleset of Bluff in a record."""

from engine.bluff.ruleset import DICE, EXACT, SCORING, Ruleset
from engine.record.shape import Json, join, members, one_of, truth, whole


def read_rules(value: Json, path: str) -> Ruleset:
    """Return the ruleset, with defaults filled in. Raise `Refused`."""
    settings = members(value, path, (), ("exact", "reroll", "dice", "scoring"))
    default = Ruleset()
    return Ruleset(
        exact=one_of(settings.get("exact", default.exact), join(path, "exact"), EXACT),
        reroll=truth(settings.get("reroll", default.reroll), join(path, "reroll")),
        dice=whole(settings.get("dice", default.dice), join(path, "dice"), DICE),
        scoring=one_of(settings.get("scoring", default.scoring), join(path, "scoring"), SCORING),
    )
