"""The ruleset of Lügen-Kniffel in a record."""

from engine.kniffel.combinations import TRUTH, Ruleset
from engine.record.shape import Json, join, members, one_of, truth


def read_rules(value: Json, path: str) -> Ruleset:
    """Return the ruleset, with defaults filled in. Raise `Refused`."""
    settings = members(value, path, (), ("truth", "allow_zero"))
    default = Ruleset()
    return Ruleset(
        truth=one_of(settings.get("truth", default.truth), join(path, "truth"), TRUTH),
        allow_zero=truth(settings.get("allow_zero", default.allow_zero), join(path, "allow_zero")),
    )
