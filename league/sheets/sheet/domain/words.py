"""The texts of the scorer's scripts in the reader's language. The scripts fill in placeholders such
as `%(name)s`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy, pgettext_lazy

from games.templatetags.kniffel import COMBINATION
from games.templatetags.table import BID_LABEL, DIE

SHEET: Final = settings.BASE_DIR / "league" / "static" / "league" / "sheet.js"
TEXT: Final = re.compile(r'"([^"\n]*)"')
"""A string literal of a script."""
ROUND: Final = {
    "who_bid": gettext_lazy("Who bid last?"),
    "what_bid": gettext_lazy("What did %(name)s bid?"),
    "really_bid": gettext_lazy("Was that really the bid?"),
    "was_bid": gettext_lazy("Yes, that was the bid"),
    "how_many": gettext_lazy("How many dice count?"),
    "count_hint": gettext_lazy("Fewer than bid: %(bidder)s loses. More: %(challenger)s."),
    "so_it_was": gettext_lazy("What follows"),
    "who_lost": gettext_lazy("Who lost how many dice?"),
    "who_opened": gettext_lazy("Who opened this round?"),
    "opener_untold": gettext_lazy(
        "Only the losses of the previous round are noted, so the rules can’t say."
    ),
    "bids_now": gettext_lazy("%(name)s bids or challenges"),
    "opens_now": gettext_lazy("%(name)s opens with a bid"),
    "whose_dice": gettext_lazy("What did %(name)s have?"),
    "lay_out": gettext_lazy("Dice laid out"),
    "laid_out": gettext_lazy("Laid out:"),
    "cups_up": gettext_lazy("Cups up!"),
    "bid": pgettext_lazy("beside a name", "bid"),
    "challenges": pgettext_lazy("beside a name", "challenges"),
    "opens": gettext_lazy("opens"),
    "out": pgettext_lazy("beside a name", "out"),
    "one_less": gettext_lazy("%(name)s: one less"),
    "one_more": gettext_lazy("%(name)s: one more"),
    "faces_label": gettext_lazy("Dice"),
    "done": gettext_lazy("Done"),
    "back": gettext_lazy("Back"),
    "is_out": gettext_lazy("%(name)s is out"),
    "is_over": gettext_lazy("That ends the game"),
    "opens_next": gettext_lazy("%(name)s opens next"),
    "rolls_next": gettext_lazy("%(name)s rolls next"),
    "opener_unknown": gettext_lazy("The losses don’t show who opens next"),
    "gains": gettext_lazy("%(name)s: %(count)s points more"),
    "drops": gettext_lazy("%(name)s: %(count)s points less"),
    "announces": gettext_lazy("What does %(name)s announce?"),
    "how_many_points": gettext_lazy("How many points?"),
    "who_doubts": gettext_lazy("Who doubts?"),
    "nobody_doubts": gettext_lazy("Nobody doubts"),
    "doubts": pgettext_lazy("beside a name", "doubts"),
    "show_dice": gettext_lazy("Show the dice"),
    "which_dice": gettext_lazy("Which dice were shown?"),
    "true": pgettext_lazy("of an announcement", "true"),
    "lie": pgettext_lazy("of an announcement", "a lie"),
    "doubted": gettext_lazy("– doubted by %(names)s: %(dice)s"),
    "by_clock": gettext_lazy("Time was up"),
    "left": gettext_lazy("%(name)s left"),
    "was_void": gettext_lazy("It was void"),
}
PAGE: Final = {
    "round": gettext_lazy("Round %(number)s"),
    "turn": gettext_lazy("Turn %(number)s"),
    "amending": gettext_lazy("what really happened?"),
    "played_again": gettext_lazy(
        "Played again from here. Everything before stays as it was sealed."
    ),
    "depth": gettext_lazy("How much to note"),
    "depth_losses": gettext_lazy("Losses"),
    "depth_last": gettext_lazy("Last bid"),
    "depth_bids": gettext_lazy("All bids"),
    "depth_dice": gettext_lazy("Bids and dice"),
    "undo_round": gettext_lazy("Undo round %(number)s"),
    "undo_turn": gettext_lazy("Undo turn %(number)s"),
    "undo_note": gettext_lazy("Undo the bid"),
    "more": gettext_lazy("More"),
    "rounds_so_far": gettext_lazy("Amend an earlier round"),
    "tap_to_amend": gettext_lazy(
        "Tap the one that’s wrong. Everything after it is worked out again."
    ),
    "call_arbiter": gettext_lazy("Call the arbiter"),
    "called": gettext_lazy("The arbiter has been called."),
    "play_meanwhile": gettext_lazy("You can play on in the meantime."),
    "call_back": gettext_lazy("Take it back"),
    "call_offline": gettext_lazy(
        "There’s no network, so the call can’t go out. Go and get an arbiter."
    ),
    "ruled": gettext_lazy("The arbiter has ruled:"),
    "who_opens": gettext_lazy("Who opens the game?"),
    "opens_game": gettext_lazy("%(name)s opens the game"),
    "somebody_leaves": gettext_lazy("Somebody leaves"),
    "who_leaves": gettext_lazy("Who leaves the game?"),
    "leaves": gettext_lazy("%(name)s leaves the game"),
    "void_round": gettext_lazy("The round is void"),
    "time_up": gettext_lazy("Time is up"),
    "turns_lacking": gettext_lazy(
        "Not everybody has had the same number of turns. Still to roll: %(names)s."
    ),
    "play_on": gettext_lazy("Play on: %(name)s rolls"),
    "end_whole_round": gettext_lazy("End after the last full round"),
    "whole_round_means": gettext_lazy("Then these turns are void: %(names)s."),
    "ruling": gettext_lazy("Ruling"),
    "yes": gettext_lazy("Yes, that’s right"),
    "light_or_dark": gettext_lazy("Light or dark"),
    "rules": gettext_lazy("Rules"),
    "why": gettext_lazy("Why are you amending it?"),
    "miscounted": gettext_lazy("Miscounted"),
    "misheard": gettext_lazy("Misheard"),
    "mistyped": gettext_lazy("Mistyped"),
    "wrong_seat": gettext_lazy("Wrong seat"),
    "did_opener": gettext_lazy("Opener noted."),
    "did_note": gettext_lazy("Bid noted."),
    "did_undo": gettext_lazy("Last entry undone."),
    "did_amend": gettext_lazy("Round amended."),
    "game_over": gettext_lazy("The game is over"),
    "seal_means": gettext_lazy(
        "Is this right? Once sealed, the game counts at once and can only be corrected."
    ),
    "seals_later": gettext_lazy("It will be sealed as soon as everything is sent."),
    "seal": gettext_lazy("Seal the game"),
    "confirm": gettext_lazy("Confirm and seal"),
    "show_code": gettext_lazy("Show as a code"),
    "code_hint": gettext_lazy(
        "Somebody who enters results can read this with another phone: under “Organise”, on the "
        "event’s page, “Scan a phone’s code”."
    ),
    "next_code": gettext_lazy("Next code"),
    "code_label": gettext_lazy("Code for what isn’t sent yet"),
    "code_text": gettext_lazy("Code as text"),
    "no_code": gettext_lazy(
        "This can’t be shown as a code yet: part of the page still has to load, and that needs a "
        "network."
    ),
    "hand_in": gettext_lazy("Hand in this sheet"),
    "hand_in_means": gettext_lazy(
        "Is this right? Once handed in, it’s compared with the other sheet. If both agree, the "
        "game counts."
    ),
    "waits_double": gettext_lazy(
        "Handed in. It will be compared as soon as the other sheet is in."
    ),
    "sheets_differ": gettext_lazy("The two sheets differ"),
    "no_such_round": gettext_lazy("no such round"),
    "arbiter_chooses": gettext_lazy(
        "Whoever was wrong taps the round and amends it, then hands in again. If you can’t "
        "agree, call an arbiter."
    ),
    "waits_seat": gettext_lazy(
        "Now a player who wrote none of it has to confirm it on their own phone. A signed-in "
        "arbiter or organiser can, too."
    ),
    "waits_arbiter": gettext_lazy(
        "Now an arbiter or organiser of the event has to sign in and confirm it."
    ),
    "short_game": gettext_lazy(
        "There are less than two minutes between the first entry and the last. Was this the whole "
        "game?"
    ),
    "sealed": gettext_lazy("The game is sealed"),
    "sealed_means": gettext_lazy("It counts from now on."),
    "won": gettext_lazy("%(name)s won"),
    "rank_is": pgettext_lazy("in a ranking", "place %(rank)s"),
    "rank_was": pgettext_lazy("in a ranking", "place %(rank)s, previously %(before)s"),
    "gained": pgettext_lazy("points in a ranking", "%(points)s, now %(total)s"),
    "ranking_points": gettext_lazy("place and points of this ranking"),
    "all_time": gettext_lazy("All-time ranking"),
    "plays_next": gettext_lazy("Next table"),
    "to_game": gettext_lazy("See the game"),
    "next_game": gettext_lazy("Write down the next game of this table"),
    "game_again": gettext_lazy("Another game with the same players"),
    "all_sent": gettext_lazy("All sent"),
    "state_busy": gettext_lazy("The service is busy"),
    "state_refused": gettext_lazy("No key"),
    "state_offline": gettext_lazy("No network"),
    "kept": gettext_lazy(
        "What you enter stays on this phone until it’s sent. The page opens without a network, too."
    ),
    "not_kept_yet": gettext_lazy(
        "What you enter stays on this phone until it’s sent. The page itself isn’t saved yet, so "
        "leave it open."
    ),
    "kept_open": gettext_lazy("Keep this page open: it can’t reopen without a network."),
    "kept_nowhere": gettext_lazy(
        "This browser saves nothing here, so what you enter could be lost. Leave private "
        "browsing, or use another browser."
    ),
    "stale": gettext_lazy("Somebody else has written something. Check it first."),
    "agreed": gettext_lazy("Another phone wrote the same, so it’s on the sheet once."),
    "not_taken": gettext_lazy("This isn’t possible"),
    "two_phones": gettext_lazy("Two phones wrote different things"),
    "nothing_lost": gettext_lazy("Nothing is lost. Look at both, then choose which to keep."),
    "other_phone": gettext_lazy("Another phone"),
    "this_phone": gettext_lazy("This phone"),
    "phone": gettext_lazy("Phone %(number)s"),
    "signed_in": gettext_lazy("Signed in"),
    "theirs": pgettext_lazy("of two phones", "Theirs"),
    "ours": pgettext_lazy("of two phones", "Ours"),
    "we_agree": gettext_lazy("We agree"),
    "keep_theirs": gettext_lazy("Keep theirs, drop mine"),
    "line_amended": gettext_lazy("%(line)s was changed on another phone (%(why)s). Now it says:"),
    "line_undone": gettext_lazy("%(line)s was taken back on another phone."),
    "ok": gettext_lazy("OK"),
    "begun_elsewhere": gettext_lazy(
        "Another phone has written this game down, and it’s sealed. What’s written here can’t "
        "become a second game."
    ),
    "drop_mine": gettext_lazy("Drop mine"),
    "drop_all": gettext_lazy("Drop everything not sent"),
    "again": gettext_lazy("Try again"),
    "cannot_write": gettext_lazy("This phone can’t write here yet"),
    "key_ended": gettext_lazy(
        "It has no key here, or its key is no longer valid. Scan a new code or get a key."
    ),
    "get_key": gettext_lazy("Get a key"),
    "not_here_yet": gettext_lazy(
        "There’s no network, and this phone hasn’t opened this game before."
    ),
}
NUMBERS: Final = {
    "loses": ngettext_lazy(
        "%(name)s loses %(count)d die", "%(name)s loses %(count)d dice", "count"
    ),
    "gets": ngettext_lazy("%(name)s gets %(count)d die", "%(name)s gets %(count)d dice", "count"),
    "counted": ngettext_lazy("%(count)d die counts", "%(count)d dice count", "count"),
    "dice": ngettext_lazy("%(count)d die", "%(count)d dice", "count"),
    "high_bid": ngettext_lazy(
        "Only %(count)d die is on the table. A higher bid is legal, but rarely intended.",
        "Only %(count)d dice are on the table. A higher bid is legal, but rarely intended.",
        "count",
    ),
    "points": ngettext_lazy("%(count)d point", "%(count)d points", "count"),
    "unsent": ngettext_lazy("%(count)d not sent", "%(count)d not sent", "count"),
    **{f"bid_{face}": label for face, label in BID_LABEL.items()},
}
"""Texts with a singular and a plural."""

REFUSALS: Final = (
    "this game is sealed: correct the game itself if something is wrong",
    "this table has played all its games; correct the one that is wrong",
    "this table was awarded without play; have that undone first",
    "this event isn't being played: it was cancelled",
    "this round isn't being played: it was taken back, or isn't published yet",
)
"""Messages with which the service refuses what a phone sends, and which aren't in `sheet.js`."""


def scorer_words() -> dict[str, Any]:
    """Return all texts of the scorer, by the names that its scripts use."""
    return {
        **{name: str(text) for name, text in {**ROUND, **PAGE}.items()},
        **{name: [_plural(text, 1), _plural(text, 2)] for name, text in NUMBERS.items()},
        "faces": {face: str(text) for face, text in DIE.items()},
        "combinations": {name: str(text) for name, text in COMBINATION.items()},
        "faults": {
            text: gettext(text)
            for text in (*_sentences_of_script(), *REFUSALS)
            if gettext(text) != text
        },
    }


def _plural(text: Any, count: int) -> str:
    # A plural is chosen only by filling in a count, which is then replaced by its placeholder.
    filled = text % {"count": count, "name": "%(name)s"}
    return str(filled).replace(str(count), "%(count)s")


@cache
def _sentences_of_script() -> frozenset[str]:
    """Return the string literals of `sheet.js` with a space: the messages with which the browser
    refuses an entry."""
    return frozenset(
        text for text in TEXT.findall(SHEET.read_text(encoding="utf-8")) if " " in text
    )
