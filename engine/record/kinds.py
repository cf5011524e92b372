"""The games that can be recorded."""

from collections.abc import Mapping
from typing import Final

from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL

KINDS: Final[Mapping[str, AnyKind]] = {kind.name: kind for kind in (BLUFF, KNIFFEL)}
"""The kinds by the value of the record's key `game`."""
SEATS: Final = max([kind.seats for kind in KINDS.values()], key=len)
"""Numbers of seats that some game allows: two to six in Bluff, two to eight in Lügen-Kniffel
(ruling K0).
"""
