"""What happened last at an online table, for those who hear the page."""

from django import template
from django.utils.translation import gettext, ngettext

from games.templatetags.table import bid_label
from league.play.online_table.domain import OnlineTableNow, Showdown

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
