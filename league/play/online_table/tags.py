"""The tokens of seats at an online table; and what happened there, for those who hear the page: one
short sentence for each thing."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from games.domain.turn import PlayedTurn
from games.templatetags.kniffel import announcement
from games.templatetags.shapes import BODIES, COLOURS
from games.templatetags.table import bid_label
from league.play.online_table.domain.bluff import OnlineTableNow, Showdown, SpokenBid
from league.play.online_table.domain.kniffel import KniffelTableNow

register = template.Library()


@register.simple_tag
def seat_mark(number: int) -> SafeString:
    """The token of a seat, the same wherever it is seen: its colour, its shape and its number,
    counted from 1."""
    look = f"c{number % COLOURS} k{number % BODIES}"
    return format_html('<i class="av seat-mark {}" aria-hidden="true">{}</i>', look, number + 1)


@register.simple_tag
def bid_word(now: OnlineTableNow, said: SpokenBid) -> str:
    """What a seat bid: “Karla: 7 fours.”"""
    return f"{now.seats[said.seat].name}: {bid_label(said.bid)}."


@register.simple_tag
def reveal_word(now: OnlineTableNow, last: Showdown | None) -> str:
    """What came of the round before: “Cups up! 7 fours were bid. 6 dice count. Karla loses 1
    die.”"""
    if last is None:
        return ""
    if last.is_void:
        return gettext("The round is void") + "."
    words = [
        gettext("Cups up! %(bid)s were bid.") % {"bid": bid_label(last.bid)},
        ngettext("%(count)d die counts.", "%(count)d dice count.", last.count)
        % {"count": last.count},
    ]
    for seat, lost in zip(now.seats, last.losses, strict=True):
        if lost > 0:
            sentence = ngettext(
                "%(name)s loses %(count)d die.", "%(name)s loses %(count)d dice.", lost
            )
            words.append(sentence % {"name": seat.name, "count": lost})
    return " ".join(words)


@register.simple_tag
def turn_word(now: OnlineTableNow) -> str:
    """What the reader does now: “Your turn.” Empty while others act."""
    if now.over:
        return gettext("The game is over.")
    if now.my_turn:
        return gettext("Your turn.")
    return ""


@register.simple_tag
def announcement_word(now: KniffelTableNow) -> str:
    """What the roller announced: “Karla: three fours = 12.”"""
    if now.announcement is None or now.roller is None:
        return ""
    return f"{now.seats[now.roller].name}: {announcement(*now.announcement)}."


def kniffel_reveal_word(last: PlayedTurn | None) -> str:
    """What came of the turn before: “Cups up! It was a lie.”"""
    if last is None or not last.whole:
        return ""
    if not last.doubters:
        return gettext("Nobody doubted it.")
    truth = gettext("It was a lie.") if last.lie else gettext("It was true.")
    return gettext("Cups up!") + f" {truth}"


def kniffel_turn_word(now: KniffelTableNow) -> str:
    """What the reader does now: “Believe it or doubt it.” Empty while others act."""
    if now.over:
        return gettext("The game is over.")
    if now.may_answer:
        return gettext("Believe it or doubt it.")
    if now.my_turn:
        return gettext("Your turn.")
    return ""
