"""The games that can be recorded."""

from collections.abc import Mapping
from typing import Final

from engine.record.bluff.kind import BLUFF
from engine.record.kind import AnyKind
from engine.record.kniffel.kind import KNIFFEL

KINDS: Final[Mapping[str, AnyKind]] = {kind.name: kind for kind in (BLUFF, KNIFFEL)}
"""By the value of the record's key `game`."""
