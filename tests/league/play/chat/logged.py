"""What services change of chats, and why no log tells of it."""

from __future__ import annotations

from typing import Final

SHORT_LIVED: Final = (
    "free words at a private table: no log keeps them, and they are gone after 30 days"
)
ERASURE: Final = "part of erasing a name, which is logged"
UNLOGGED: Final = {
    **{
        f"play.chat.{name}": SHORT_LIVED
        for name in (
            "line_say",
            "line_tidied",
            "seat_mute",
            "line_report",
            "line_remove",
            "reports_dismiss",
        )
    },
    "play.chat.lines_forget": SHORT_LIVED,
    "play.chat.lines_erase": ERASURE,
    "play.chat.seat_lines_erase": ERASURE,
}
