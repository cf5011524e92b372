"""How the record writes announcements and rolls: `fours=12`, `44425`, `44>466`."""

import re
from typing import Final

from engine.illegal import Illegal, quote
from engine.kniffel.combinations import FACES, Announcement, Dice
from engine.kniffel.rolls import Roll
from engine.messages import say

SAY: Final = re.compile(r"([a-z]+)=(0|[1-9][0-9]?)")
FACE_TEXT: Final = "".join(map(str, FACES))


def parse_announcement(text: str) -> Announcement | Illegal:
    """Return the announcement that `text` writes, even one unknown to the rules. Error:
    `no_such_announcement`."""
    match = SAY.fullmatch(text)
    if match is None:
        return Illegal(
            "no_such_announcement",
            say("“{text}” isn't an announcement such as fours=12", text=quote(text)),
        )
    return Announcement(match[1], int(match[2]))


def announcement_text(announcement: Announcement) -> str:
    """Return the announcement as the record writes it."""
    return f"{announcement.combination}={announcement.points}"


def parse_dice(text: str) -> Dice | Illegal:
    """Return the dice that `text` shows, in ascending order. Error: `bad_face`."""
    rest = text.lstrip(FACE_TEXT)
    if rest:
        return Illegal(
            "bad_face", say("“{face}” isn't a face of a die: 1 2 3 4 5 6", face=quote(rest[0]))
        )
    return tuple(sorted(map(int, text)))


def dice_text(dice: Dice) -> str:
    """Return the dice as the record writes them, in ascending order."""
    return "".join(map(str, sorted(dice)))


def parse_roll(text: str) -> Roll | Illegal:
    """Return the roll that `text` writes: dice kept, `>`, new dice; without `>` all are new.

    Error: `bad_face`."""
    kept_text = ""
    new_text = text
    if ">" in text:
        kept_text, _, new_text = text.partition(">")
    kept_dice = parse_dice(kept_text)
    new_dice = parse_dice(new_text)
    if isinstance(kept_dice, Illegal):
        return kept_dice
    if isinstance(new_dice, Illegal):
        return new_dice
    return Roll(kept_dice, new_dice)


def roll_text(roll: Roll) -> str:
    """Return the roll as the record writes it, dice in ascending order, without `>` if nothing was
    kept."""
    new_dice = dice_text(roll.new)
    if not roll.kept:
        return new_dice
    return f"{dice_text(roll.kept)}>{new_dice}"
