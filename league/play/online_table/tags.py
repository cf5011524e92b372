"""What happened last at an online table, for those who hear the page."""

from django import template
from django.utils.translation import gettext, ngettext

from games.domain.turn import PlayedTurn
from games.templatetags.kniffel import announcement
from games.templatetags.table import bid_label
from league.play.online_table.domain.bluff import OnlineTableNow, Showdown
from league.play.online_table.domain.kniffel import KniffelTableNow

register = template.Library()


@register.simple_tag
def play_word(now: OnlineTableNow, last: Showdown | None) -> str:
    """What was said or shown last, and whose turn it is: “Karla: 7 fours. Your turn.”"""
    words = []
    if now.bid:
        words.append(f"{now.seats[now.bidder].name}: {bid_label(now.bid)}.")
    elif last is not None and not last.is_void:
        words.append(gettext("Cups up! %(bid)s were bid.") % {"bid": bid_label(last.bid)})
        words.append(ngettext("%(count)d die counts.", "%(count)d dice count.", last.count) % {"count": last.count})
    if now.over:
        words.append(gettext("The game is over."))
    elif now.my_turn:
        words.append(gettext("Your turn."))
    return " ".join(words)


def kniffel_word(now: KniffelTableNow, last: PlayedTurn | None) -> str:
    """What was announced or shown last, and what the reader does: “Karla: three fours = 12. Believe it or doubt it.”"""
    words = []
    if now.announcement is not None and now.roller is not None:
        said = announcement(*now.announcement)
        words.append(f"{now.seats[now.roller].name}: {said}.")
    elif last is not None and last.whole:
        words.append(_verdict(last))
    if now.over:
        words.append(gettext("The game is over."))
    elif now.may_answer:
        words.append(gettext("Believe it or doubt it."))
    elif now.my_turn:
        words.append(gettext("Your turn."))
    return " ".join(words)


def _verdict(last: PlayedTurn) -> str:
    if not last.doubters:
        return gettext("Nobody doubted it.")
    truth = gettext("It was a lie.") if last.lie else gettext("It was true.")
    return gettext("Cups up!") + f" {truth}"
