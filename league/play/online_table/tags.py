"""Template tags of online tables: the tokens of seats, and sentences for screen readers about what
happened.
"""

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
    """Return the token of a seat, the same on all pages: its colour, its shape and its number,
    counted from 1.
    """
    classes = f"c{number % COLOURS} k{number % BODIES}"
    return format_html('<i class="av seat-mark {}" aria-hidden="true">{}</i>', classes, number + 1)


@register.simple_tag
def bid_word(now: OnlineTableNow, said: SpokenBid) -> str:
    """Return the sentence about a bid: “Karla: 7 fours.”"""
    return f"{now.seats[said.seat].name}: {bid_label(said.bid)}."


@register.simple_tag
def reveal_word(now: OnlineTableNow, last: Showdown | None) -> str:
    """Return the sentences about the last showdown: “Cups up! 7 fours were bid. 6 dice count. Karla
    loses 1 die.”
    """
    if last is None:
        return ""
    if last.is_void:
        return gettext("The round is void") + "."

    bid_sentence = gettext("Cups up! %(bid)s were bid.")
    count_sentence = ngettext("%(count)d die counts.", "%(count)d dice count.", last.count)
    sentences = [
        bid_sentence % {"bid": bid_label(last.bid)},
        count_sentence % {"count": last.count},
    ]
    for seat, lost in zip(now.seats, last.losses, strict=True):
        if lost > 0:
            sentence = ngettext(
                "%(name)s loses %(count)d die.", "%(name)s loses %(count)d dice.", lost
            )
            sentences.append(sentence % {"name": seat.name, "count": lost})
    return " ".join(sentences)


@register.simple_tag
def turn_word(now: OnlineTableNow) -> str:
    """Return what the reader does now: “Your turn.” Empty while others act."""
    if now.over:
        return gettext("The game is over.")
    if now.my_turn:
        return gettext("Your turn.")
    return ""


@register.simple_tag
def announcement_word(now: KniffelTableNow) -> str:
    """Return the sentence about the roller's announcement: “Karla: three fours = 12.”"""
    if now.announcement is None or now.roller is None:
        return ""
    return f"{now.seats[now.roller].name}: {announcement(*now.announcement)}."


def kniffel_reveal_word(last: PlayedTurn | None) -> str:
    """Return the sentence about the last turn: “Cups up! It was a lie.”"""
    if last is None or not last.whole:
        return ""
    if not last.doubters:
        return gettext("Nobody doubted it.")
    truth = gettext("It was a lie.") if last.lie else gettext("It was true.")
    return gettext("Cups up!") + f" {truth}"


def kniffel_turn_word(now: KniffelTableNow) -> str:
    """Return what the reader does now: “Believe it or doubt it.” Empty while others act."""
    if now.over:
        return gettext("The game is over.")
    if now.may_answer:
        return gettext("Believe it or doubt it.")
    if now.my_turn:
        return gettext("Your turn.")
    return ""
