"""The rounds of a game of Bluff as rows of its page: bids, dice and results.

A game has hundreds of moves. The rows are built here from escaped pieces, because a template takes
ten times as long."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from engine.clock import CLOCK
from games.domain.round import Cup, PlayedMove, PlayedRound
from games.templatetags.rulings import ruling
from games.templatetags.table import bid, hand
from league.core.player.tags import person
from league.records.analysis.web import ShownOption
from league.records.game.web.address import Address
from league.standings.ranked_game.queries.game import SeatAtTable
from league.templatetags.figures import NONE, figure, signed

register = template.Library()
LEVELS: Final = {
    "dealt": (
        "pill-gold",
        gettext_lazy("every die"),
        gettext_lazy("Every die was recorded, from the first roll on."),
    ),
    "dice": (
        "pill-gold",
        gettext_lazy("bids and dice"),
        gettext_lazy("All bids were recorded, and the dice when the cups went up."),
    ),
    "bids": (
        "",
        gettext_lazy("bids"),
        gettext_lazy("All bids and the count were recorded, but not the dice."),
    ),
    "challenge": (
        "",
        gettext_lazy("challenge"),
        gettext_lazy("Only the last bid, the challenge and the count were recorded."),
    ),
    "result": ("", gettext_lazy("result"), gettext_lazy("Only the losses were recorded.")),
}
"""How much was recorded of a round: the class of its pill, its label, and its tooltip."""

EARLY_ENDS: Final = {
    "B17": gettext_lazy("forfeit"),
    "B18": gettext_lazy("void"),
    "B20": gettext_lazy("time was up"),
}
"""The rulings that end a round early, with their labels."""


@register.simple_tag
def level(played: PlayedRound) -> SafeString:
    """Return pills that say how much was recorded of a round: `{% level round %}`."""
    return _level_pills(played.level, played.void, get_language())


@lru_cache
def _level_pills(name: str, void: bool, language: str | None) -> SafeString:
    """Use `language` only as a key of the cache."""
    pills = ""
    if void:
        pills = _pill("pill-star", gettext("void"))
    if name in LEVELS:
        pill_class, label, tooltip = LEVELS[name]
        pills += _pill(pill_class, str(label), f' title="{tooltip}"')
    return SafeString(pills)


def _pill(pill_class: str, label: str, attribute: str = "") -> str:
    classes = f"pill {pill_class}".rstrip()
    return f'<span class="{classes}"{attribute}>{label}</span> '


@register.simple_tag
def dice_left(
    seats: Sequence[SeatAtTable], rounds: Sequence[PlayedRound], address: Address
) -> SafeString:
    """Return a row for each seat with the dice it had left after each round, linked to the
    round."""
    links = [escape(address.at(played.number).stage) for played in rounds]
    rows = []
    for seat in seats:
        cells = [
            _dice_cell(played.dice_left[seat.number], played.change[seat.number], link)
            for played, link in zip(rounds, links, strict=True)
        ]
        rows.append(
            f'<tr><th scope="row">{person(seat.handle, seat.name)}</th>{"".join(cells)}</tr>'
        )
    return SafeString("\n".join(rows))


def _dice_cell(dice: int, change: int, link: str) -> str:
    change_class = ""
    sign = ""
    if change < 0:
        change_class = " fell"
        sign = f"<i>−{-change}</i>"
    elif change > 0:
        change_class = " rose"
        sign = "<i>+1</i>"
    return f'<td class="n{dice}{change_class}"><a href="{link}">{dice}</a>{sign}</td>'


@register.simple_tag
def choice(option: ShownOption) -> SafeString:
    """Return a move that was or could have been made: `{% choice judged.best %}`."""
    if not option.bid:
        return SafeString(_challenge(' class="cups-up"'))
    return SafeString(f"{bid(option.bid)} {_laid_out(option.show)}".rstrip())


@register.simple_tag
def gained(seat: SeatAtTable) -> SafeString:
    """Return how far the game moved a seat's rating; the tooltip has the values before and
    after."""
    if seat.mu is None:
        return SafeString(NONE)
    ratings = gettext("%(before)s before, %(after)s ± %(half)s after this game") % {
        "before": figure(seat.mu_before, 2),
        "after": figure(seat.mu, 2),
        "half": figure(seat.half, 2),
    }
    return SafeString(f'<span title="{ratings}">{signed(seat.gained, 2)}</span>')


@register.simple_tag
def move(played_move: PlayedMove, seats: Sequence[SeatAtTable]) -> SafeString:
    """Return a player's move: a bid, perhaps with dice laid out, or the challenge."""
    seat = seats[played_move.seat]
    action = bid(played_move.bid) if played_move.bid else _challenge()
    laid_out = _laid_out_in_move(played_move)
    return SafeString(f"{person(seat.handle, seat.name)} {action} {laid_out}".rstrip())


def _challenge(attribute: str = "") -> str:
    cups_up = gettext("Cups up!")
    return f"<strong{attribute}>{cups_up}</strong>"


def _laid_out_in_move(played_move: PlayedMove) -> str:
    if not played_move.show:
        return ""
    if played_move.rolled:
        and_rolls = gettext("and rolls")
        return _laid_out(played_move.show, f"{and_rolls} {hand(played_move.rolled)}")
    return _laid_out(played_move.show, gettext("and rerolls the others"))


def _laid_out(show: str, rerolled: str = "") -> str:
    if not show:
        return ""
    lays_out = gettext("lays out")
    return f'<span class="reroll">{lays_out} {hand(show, show)} {rerolled}</span>'


@register.simple_tag
def moves(played: PlayedRound, seats: Sequence[SeatAtTable]) -> SafeString:
    """Return the moves of a round in playing order, as rows of a list."""
    rows = []
    for played_move in played.moves:
        challenge_class = "" if played_move.bid else ' class="challenge"'
        rows.append(f"<li{challenge_class}>{move(played_move, seats)}</li>")
    return SafeString("\n".join(rows))


@register.simple_tag
def hands(played: PlayedRound, seats: Sequence[SeatAtTable]) -> SafeString:
    """Return the dice of all seats in a round, as rows of a list."""
    rows = []
    for cup in played.cups:
        seat = seats[cup.seat]
        rows.append(f"<li>{person(seat.handle, seat.name)} {cup_dice(cup, played)}</li>")
    return SafeString("\n".join(rows))


@register.simple_tag
def cup_dice(cup: Cup, played: PlayedRound) -> SafeString:
    """Return the dice of one seat in a round, as far as they are known."""
    return SafeString(f'<span class="hand">{" ".join(_cup_dice(cup, played))}</span>')


def _cup_dice(cup: Cup, played: PlayedRound) -> Iterator[str]:
    if cup.dice is None:
        if cup.open_dice:
            yield hand(cup.open_dice, cup.open_dice)
        if cup.hidden:
            hidden = ngettext(
                "%(hidden)s die, not written down", "%(hidden)s dice, not written down", cup.hidden
            )
            yield f'<small class="hits">{hidden % {"hidden": cup.hidden}}</small>'
        return
    if cup.rolled is not None and cup.rolled != cup.dice:
        first = gettext("first roll")
        yield f'<span class="rolled"><small>{first}</small> {hand(cup.rolled)}</span>'
    counted_face = "" if played.challenger is None else played.face
    yield hand(cup.dice, cup.open_dice, counted_face)
    if cup.hits is not None:
        counted = gettext("%(hits)s counted") % {"hits": cup.hits}
        yield f'<small class="hits">{counted}</small>'


@register.simple_tag
def outcome(played: PlayedRound, seats: Sequence[SeatAtTable]) -> SafeString:
    """Return the result of a round: count, losses, ruling, next opener."""
    names = [escape(seat.name) for seat in seats]
    return SafeString("\n".join(_outcome(played, names)))


def _outcome(played: PlayedRound, names: Sequence[str]) -> Iterator[str]:
    """Yield the paragraphs on how a round ended. `names`: of the seats, escaped."""
    if played.level == CLOCK:
        time_up = gettext("Time was up.")
        ranked = gettext("The players still in are ranked by their dice left.")
        yield f"<p><strong>{time_up}</strong> {ranked}</p>"
    elif played.forfeit:
        yield _forfeit(played, names)
    elif played.void:
        void = gettext("The round is void; it is played again with the same opener.")
        yield f"<p>{void}</p>"
    elif played.level == "result":
        yield _unknown(
            gettext(
                "Only the losses were written down, not the bids or dice, so the deciding ruling "
                "isn’t known."
            )
        )
    elif played.bid is None or played.count is None:
        yield _unknown(gettext("Nobody has challenged yet."))
    else:
        yield _count_against_bid(played, played.bid)
        if not played.lifted:
            yield _unknown(
                gettext("The dice under the cups weren’t written down, only how many counted.")
            )
    if played.losses:
        rows = [_loss(names[seat], lost, out=seat in played.out) for seat, lost in played.losses]
        yield f'<ul class="losses">{"".join(rows)}</ul>'
    if played.ruling:
        yield f'<p class="rulings">{" ".join(_rulings(played, names))}</p>'


def _unknown(sentence: str) -> str:
    return f'<p class="unknown">{sentence}</p>'


def _forfeit(played: PlayedRound, names: Sequence[str]) -> str:
    sentences = []
    for seat in played.forfeit:
        left = gettext("%(name)s left the game.") % {"name": names[seat]}
        sentences.append(f"<strong>{left}</strong>")
    void = ""
    if played.void:
        void = gettext("The round is void; it is played again without them.")
    return f"<p>{' '.join(sentences)} {void}</p>"


def _count_against_bid(played: PlayedRound, last_bid: str) -> str:
    """Rulings B8, B9: the count is above the bid, below it, or hits it exactly."""
    gap = played.gap or 0
    if gap > 0:
        pill = _pill("pill-win", gettext("the bid holds"))
    elif gap < 0:
        pill = _pill("pill-star", gettext("the bid fails"))
    else:
        pill = _pill("pill-gold", gettext("exact hit"))
    dice = gettext("of %(dice)s dice") % {"dice": played.dice_in_play}
    label_bid = gettext("bid")
    counted = gettext("counted")
    return (
        f'<p class="count"><span>{label_bid}</span> {bid(last_bid)} <span>{counted}</span>'
        f" <b>{played.count}</b> <span>{dice}</span> {pill}</p>"
    )


def _loss(name: str, lost: int, *, out: bool) -> str:
    """Ruling B9: in a game with `giveaway`, a seat can receive a die."""
    if lost > 0:
        sentence = ngettext("%(name)s loses %(dice)s die", "%(name)s loses %(dice)s dice", lost)
    else:
        sentence = gettext("%(name)s receives a die")
    end = ""
    if out:
        is_out = gettext("and is out")
        end = f", <strong>{is_out}</strong>"
    return f"<li>{sentence % {'name': name, 'dice': lost}}{end}</li>"


def _rulings(played: PlayedRound, names: Sequence[str]) -> Iterator[str]:
    if played.ruling in EARLY_ENDS:
        yield _ruled(ruling(played.ruling), str(EARLY_ENDS[played.ruling]))
    elif played.ruling == "B9":
        yield _ruled(ruling("B9", f"B9-{played.variant}"), gettext("exact hit"))
    else:
        yield _ruled(ruling("B8"), gettext("the difference is lost"))
    if played.count is not None:
        yield _ruled("·", ruling("B7"), gettext("how it is counted"))
    if played.out:
        yield _ruled("·", ruling("B11"), gettext("out"))
    if played.winner is not None:
        yield _ruled(
            "·", ruling("B10"), gettext("%(name)s opens next") % {"name": names[played.winner]}
        )


def _ruled(*parts: str) -> str:
    return f"<span>{' '.join(parts)}</span>"
