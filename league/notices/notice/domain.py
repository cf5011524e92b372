"""The words of each notice: its title, its text, and the address of the page that it is about.

There is a function for each kind, called like its `Notice.Occasion`. All get the names that notices
show (`looked_up`), which some don't need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from league.notices.message.models import EventMessage
from league.notices.notice.models import Notice
from league.stages.stage.domain.group import group_title
from league.stages.stage.domain.table_name import table_name, table_where


@dataclass(frozen=True, slots=True)
class NoticeNames:
    """Texts that were looked up for some notices: players' names and messages by public id, and the
    receipts of the log's entries that made the notices, by club id and position."""

    names: Mapping[str, str]
    messages: Mapping[str, EventMessage]
    receipts: Mapping[tuple[int, int], str] = field(default_factory=dict)


TitleBodyPath = tuple[str, str, str]
"""The title and the text of a notice, and the address of its page."""
NoticeWords = Callable[[Notice, NoticeNames], TitleBodyPath]


def event_path(notice: Notice) -> str:
    """Return the address of the public page of a notice's event, or of the club if the notice is
    about no event."""
    if notice.event is None:
        return reverse("club", args=[notice.club.slug])
    return reverse("event", args=[notice.club.slug, notice.event.slug])


def waiting(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell somebody their number on the waiting list."""
    text = gettext(
        "You’re number %(place)d. Whenever a place becomes free, the next in line gets it. We’ll "
        "let you know."
    )
    title = gettext("On the waiting list: %(event)s") % _event_name(notice)
    place = notice.parameters.get("place", 1)
    return title, text % {"place": place}, event_path(notice)


def changed(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell what has changed about an event: its times or its place."""
    title = gettext("Changed: %(event)s") % _event_name(notice)
    before = notice.parameters["before"]
    after = notice.parameters["after"]
    sentences = []
    for name, sentence in CHANGED.items():
        if name in after:
            values = {
                "now": _setting_in_words(notice, name, after[name]),
                "before": _setting_in_words(notice, name, before[name]),
            }
            sentences.append(str(sentence) % values)
    return title, " ".join(sentences), event_path(notice)


def table(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player their table in a round: where and when it plays, with whom, and who opens."""
    parameters = notice.parameters
    title = gettext("Round %(round)d: table %(number)s") % _round_and_table(parameters)
    sentences = [f"{_event_or_club_name(notice)}, {parameters['stage']}."]

    number = parameters.get("number")
    where = table_where(number, parameters["place"]) if number else ""
    if where:
        sentences.append(gettext("Where: %(where)s.") % {"where": where})
    if parameters["starts_at"]:
        when = _time_in_words(notice, parameters["starts_at"])
        sentences.append(gettext("When: %(when)s.") % {"when": when})

    own = parameters["own"]
    others = [looked_up.names.get(player, "–") for player in parameters["seats"] if player != own]
    sentences.append(gettext("With %(names)s.") % {"names": ", ".join(others)})
    opener = parameters["seats"][0]
    if opener == own:
        sentences.append(gettext("You open."))
    else:
        sentences.append(gettext("%(name)s opens.") % {"name": looked_up.names.get(opener, "–")})
    return title, " ".join(sentences), reverse("table", args=[parameters["table"]])


def moved(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player that their table has another time or place."""
    title = gettext("New time or place: round %(round)d, table %(number)s")
    _, text, path = table(notice, looked_up)
    return title % _round_and_table(notice.parameters), text, path


def _round_and_table(parameters: Mapping[str, Any]) -> dict[str, Any]:
    number = parameters.get("number") or parameters["place"]
    return {"round": parameters["round"], "number": number}


def taken_back(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player that the draw of their round was taken back."""
    title = gettext("Round %(round)d has been taken back") % {"round": notice.parameters["round"]}
    text = gettext("%(event)s: you no longer have that table. Wait for the new draw.")
    return title, text % _event_name(notice), event_path(notice)


def stage_finished(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player that a stage is finished, and their rank in it."""
    title = gettext("%(stage)s is finished") % {"stage": notice.parameters["stage"]}
    body = f"{_event_or_club_name(notice)}. {_rank_in_words(notice)}"
    return title, body.strip(), event_path(notice)


def replaced(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player that a correction changed their final rank in an event."""
    title = gettext("Your final rank has changed: %(event)s") % _event_name(notice)
    before = gettext("It used to be %(rank)d. A game of the event was corrected.")
    before = before % {"rank": notice.parameters["before"]}
    return title, f"{_rank_in_words(notice)} {before}", event_path(notice)


def _about_event(
    title: Promise, first_sentence: Callable[[Notice], str], text: Promise | str = ""
) -> NoticeWords:
    def word_notice(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
        body = f"{first_sentence(notice)} {text}"
        return str(title % _event_name(notice)), body.rstrip(), event_path(notice)

    return word_notice


def _fixed_words(title: Promise, text: Promise, path: Callable[[Notice], str]) -> NoticeWords:
    def word_notice(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
        return str(title % _event_name(notice)), str(text), path(notice)

    return word_notice


def _game_path(notice: Notice) -> str:
    return reverse("game", args=[notice.parameters["game"]])


def _case_path(notice: Notice) -> str:
    return reverse("game-case", args=[notice.parameters["game"]])


def _statements_path(notice: Notice) -> str:
    return reverse("game-statements", args=[notice.parameters["game"]])


def _table_path(notice: Notice) -> str:
    return reverse("table", args=[notice.parameters["table"]])


def _proposal_path(notice: Notice) -> str:
    return reverse("proposal", args=[notice.parameters["proposal"]])


def _arbiter_path(notice: Notice) -> str:
    return reverse("game-arbiter", args=[notice.parameters["game"]])


corrected = _fixed_words(
    gettext_lazy("One of your games was corrected: %(event)s"),
    gettext_lazy("Its page shows what changed, who changed it, and why."),
    _game_path,
)
voided = _fixed_words(
    gettext_lazy("One of your games is void: %(event)s"),
    gettext_lazy("It no longer counts. Its page says why."),
    _game_path,
)
restored = _fixed_words(
    gettext_lazy("One of your games counts again: %(event)s"),
    gettext_lazy("It was void and has been restored. Its page says why."),
    _game_path,
)
objected = _fixed_words(
    gettext_lazy("Somebody has objected to a result: %(event)s"),
    gettext_lazy("It is provisional until you rule on it: let it stand, or correct it."),
    _case_path,
)
heard = _fixed_words(
    gettext_lazy("An arbiter is asking about one of your games: %(event)s"),
    gettext_lazy(
        "The result is provisional until the arbiter rules. Say what you know on the game’s page."
    ),
    _game_path,
)
statement = _fixed_words(
    gettext_lazy("New statement about a disputed game: %(event)s"),
    gettext_lazy("You can read it, and say what you saw yourself."),
    _statements_path,
)
unconfirmed = _fixed_words(
    gettext_lazy("A game is waiting for you to confirm it: %(event)s"),
    gettext_lazy(
        "It’s over and written down. Look at the table’s page, and confirm it if it’s right."
    ),
    _table_path,
)
proposed = _fixed_words(
    gettext_lazy("Is this how it was? A correction is proposed: %(event)s"),
    gettext_lazy(
        "You were at this table. Look at the correction, and agree if it’s right. Once everybody "
        "agrees, the game is corrected."
    ),
    _proposal_path,
)
arbiter_asks = _fixed_words(
    gettext_lazy("Should somebody from outside rule on your game? %(event)s"),
    gettext_lazy(
        "An arbiter has accepted. See who it is, and say yes or no: silence doesn’t count as a yes."
    ),
    _arbiter_path,
)
arbiter_rules = _fixed_words(
    gettext_lazy("You can rule on a disputed game: %(event)s"),
    gettext_lazy(
        "Everybody at the table agreed on you. The case shows everything that’s known about the "
        "game."
    ),
    _case_path,
)


def ruled(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player of a ruling on their game."""
    title = gettext("Ruling %(number)d on one of your games: %(event)s") % _name_and_number(notice)
    text = gettext("Its page says what was decided and why, and until when you can appeal.")
    return title, text, reverse("ruling", args=[notice.subject])


def appealed(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell of an appeal against a ruling: to those who can decide it, and to the players."""
    title = gettext("An appeal against ruling %(number)d: %(event)s") % _name_and_number(notice)
    if notice.parameters["decides"]:
        text = gettext("Two arbiters who didn’t make the ruling decide. You can be one of them.")
        return title, text, _case_path(notice)
    text = gettext("The result is provisional until others have decided.")
    return title, text, reverse("ruling", args=[notice.parameters["ruling"]])


def called(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell an arbiter that a table calls."""
    parameters = notice.parameters
    place = table_name(parameters["number"])
    title = gettext("%(table)s is calling you: %(event)s") % {"table": place, **_event_name(notice)}
    text = gettext(
        "It’s about round %(round)d. Choose the case and the decision there, and the table sees "
        "them at once."
    )
    path = reverse("open-game-call", args=[parameters["open_game"]])
    return title, text % {"round": parameters["round"]}, path


def objection_waits(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Remind of an objection that waits for a ruling."""
    title = gettext("An objection has been waiting for %(days)d days: %(event)s")
    text = gettext("The result is provisional until you rule on it: let it stand, or correct it.")
    return _about_case(
        notice, title, _raised_in_words(notice, looked_up), _text_or_advice(notice, text)
    )


def objection_late(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell all who can rule that an objection has waited for too long."""
    title = gettext("An objection is still undecided after %(days)d days: %(event)s")
    text = gettext(
        "Everybody who can rule on it has been told. The result is provisional until one of you "
        "lets it stand or corrects it."
    )
    return _about_case(
        notice, title, _raised_in_words(notice, looked_up), _text_or_advice(notice, text)
    )


def hearing_waits(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Remind of a hearing that waits for a ruling."""
    title = gettext("A hearing has been waiting for %(days)d days: %(event)s")
    text = gettext(
        "The result is provisional until you rule. Read what the table has said, then decide."
    )
    return _about_case(notice, title, _opened_in_words(notice), _text_or_advice(notice, text))


def hearing_late(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell all who can rule that a hearing has waited for too long."""
    title = gettext("A hearing is still open after %(days)d days: %(event)s")
    text = gettext(
        "Everybody who can rule has been told. The result is provisional until one of you does."
    )
    return _about_case(notice, title, _opened_in_words(notice), _text_or_advice(notice, text))


def appeal_waits(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Remind of an appeal that waits for a decision."""
    title = gettext("An appeal has been waiting for %(days)d days: %(event)s")
    return _about_case(notice, title, _appealed_in_words(notice), _advice_on_appeal(notice))


def appeal_late(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell all who can decide it that an appeal has waited for too long."""
    title = gettext("An appeal is still undecided after %(days)d days: %(event)s")
    sentences = [_appealed_in_words(notice)]
    if not notice.parameters["is_stuck"]:
        sentences.append(gettext("Everybody who can decide it has been told."))
    return _about_case(notice, title, *sentences, _advice_on_appeal(notice))


def _about_case(notice: Notice, title: str, *sentences: str) -> TitleBodyPath:
    name_and_days = {"event": _event_or_club_name(notice), "days": notice.parameters["days"]}
    return title % name_and_days, " ".join(sentences), _case_path(notice)


def _name_and_number(notice: Notice) -> dict[str, Any]:
    return {"event": _event_or_club_name(notice), "number": notice.parameters["number"]}


def _raised_in_words(notice: Notice, looked_up: NoticeNames) -> str:
    since = _since_in_words(notice)
    names = [
        looked_up.names[player]
        for player in notice.parameters["seats"]
        if player in looked_up.names
    ]
    if not names:
        return gettext("It was raised on %(when)s.") % {"when": since}
    return gettext("It was raised for %(name)s on %(when)s.") % {"name": names[0], "when": since}


def _opened_in_words(notice: Notice) -> str:
    return gettext("It was opened on %(when)s.") % {"when": _since_in_words(notice)}


def _appealed_in_words(notice: Notice) -> str:
    text = gettext("It was raised on %(when)s against ruling %(number)d.")
    return text % {"when": _since_in_words(notice), "number": notice.parameters["number"]}


def _since_in_words(notice: Notice) -> str:
    return _time_in_words(notice, notice.parameters["since"])


def _text_or_advice(notice: Notice, text: str) -> str:
    if not notice.parameters.get("is_stuck"):  # older notices of objections don't have it
        return text
    return gettext(
        "Every arbiter and organiser of the club played or entered this game, so none of you can "
        "rule on it. On the case’s page, you can invite somebody from outside whom all players "
        "agree on."
    )


def _advice_on_appeal(notice: Notice) -> str:
    parameters = notice.parameters
    if parameters["is_stuck"]:
        return gettext(
            "It takes two arbiters who neither took part in the game nor made the ruling, and the "
            "club has too few of them. On the case’s page, you can invite somebody from outside "
            "whom all players agree on, and who then decides alone."
        )
    if parameters["is_agreed"]:
        return gettext(
            "All players agreed on you, so you decide it alone. The result is provisional until "
            "then."
        )
    if parameters["is_drafted"]:
        return gettext(
            "An arbiter has drafted a decision. It counts once a second one agrees: see the draft "
            "on the case’s page. The result is provisional until then."
        )
    return gettext(
        "This takes two arbiters who didn’t make the ruling: draft a decision on the case’s page. "
        "The result is provisional until a second one agrees."
    )


def message(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Pass on a message of the organisers, unless it was deleted."""
    letter = looked_up.messages.get(notice.subject)
    if letter is None or not letter.text:
        title = gettext("A message: %(event)s") % _event_name(notice)
        return title, gettext("It’s no longer kept."), event_path(notice)
    return letter.subject, letter.text, event_path(notice)


def turn(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player that it is their turn in a game that is played turn by turn."""
    title = gettext("Your turn against %(names)s") % _opponents(notice)
    text = gettext("It’s your turn at an online table of %(club)s. You have until %(when)s.")
    return title, _with_deadline(text, notice), _online_table_path(notice)


def turn_ends(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Warn a player that the time for their turn runs out."""
    title = gettext("Your time is running out: your turn against %(names)s") % _opponents(notice)
    text = gettext(
        "You have until %(when)s. After that your dice leave the game, "
        "and the others at this table of %(club)s play on without you."
    )
    return title, _with_deadline(text, notice), _online_table_path(notice)


def game_over(notice: Notice, looked_up: NoticeNames) -> TitleBodyPath:
    """Tell a player that a game that was played turn by turn is over."""
    title = gettext("Your game against %(names)s is over") % _opponents(notice)
    own_finish = _finish_in_words(notice.parameters)
    if own_finish:
        title = f"{title}: {own_finish}"
    text = gettext("It was played turn by turn in %(club)s. The table’s page shows how it ended.")
    return title, text % {"club": notice.club.name}, _online_table_path(notice)


def _finish_in_words(parameters: Mapping[str, Any]) -> str:
    if "rank" not in parameters:
        return ""
    places = SHARED_PLACES if parameters["shared"] else PLACES
    return str(places[parameters["rank"] - 1])


def _opponents(notice: Notice) -> dict[str, str]:
    return {"names": ", ".join(notice.parameters["others"])}


def _with_deadline(text: str, notice: Notice) -> str:
    ends_at = datetime.fromisoformat(notice.parameters["ends_at"])
    zone = notice.parameters["zone"]
    when = date_format(ends_at.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT")
    return text % {"club": notice.club.name, "when": f"{when} ({zone})"}


def _online_table_path(notice: Notice) -> str:
    return reverse("online-table", args=[notice.subject])


def _event_name(notice: Notice) -> dict[str, str]:
    return {"event": _event_or_club_name(notice)}


def _event_or_club_name(notice: Notice) -> str:
    return notice.event.name if notice.event else notice.club.name


def _when_and_where(notice: Notice) -> str:
    if notice.event is None:
        return ""
    begins = _time_in_words(notice, notice.event.starts_at.isoformat())
    if notice.event.venue:
        return f"{begins}, {notice.event.venue}."
    return f"{begins}."


def _rank_in_words(notice: Notice) -> str:
    parameters = notice.parameters
    if "rank" not in parameters:
        return ""
    rank = {"rank": parameters["rank"], "count": parameters["count"]}
    if parameters.get("group"):
        text = gettext("%(group)s: your rank is %(rank)d of %(count)d.")
        sentence = text % {**rank, "group": group_title(parameters["group"])}
    else:
        sentence = gettext("Your rank: %(rank)d of %(count)d.") % rank
    if parameters.get("provisional"):
        provisional = gettext("It’s provisional: the result of a game you played is disputed.")
        return f"{sentence} {provisional}"
    return sentence


def _setting_in_words(notice: Notice, name: str, value: str | None) -> str:
    if not value:
        return "–"
    if name == "venue":
        return value
    return _time_in_words(notice, value)


def _time_in_words(notice: Notice, time: str) -> str:
    zone = ZoneInfo(notice.club.timezone)
    return date_format(datetime.fromisoformat(time).astimezone(zone), "DATETIME_FORMAT")


entered = _about_event(gettext_lazy("You have a place: %(event)s"), _when_and_where)
moved_up = _about_event(
    gettext_lazy("You’ve got a place now: %(event)s"),
    _when_and_where,
    gettext_lazy("Can’t come? Withdraw, and the next in line gets your place."),
)
withdrawn = _about_event(
    gettext_lazy("Your entry is withdrawn: %(event)s"),
    _when_and_where,
    gettext_lazy("An organiser of the club withdrew it. Ask them if you didn’t expect that."),
)
cancelled = _about_event(gettext_lazy("Cancelled: %(event)s"), _when_and_where)
finished = _about_event(gettext_lazy("%(event)s is over"), _rank_in_words)

PLACES: Final = (
    gettext_lazy("you won"),
    gettext_lazy("you came second"),
    gettext_lazy("you came third"),
    gettext_lazy("you came fourth"),
    gettext_lazy("you came fifth"),
    gettext_lazy("you came sixth"),
    gettext_lazy("you came seventh"),
    gettext_lazy("you came eighth"),
)
"""The reader's place in a game, in words. A table has eight seats at most."""
SHARED_PLACES: Final = (
    gettext_lazy("you share first place"),
    gettext_lazy("you share second place"),
    gettext_lazy("you share third place"),
    gettext_lazy("you share fourth place"),
    gettext_lazy("you share fifth place"),
    gettext_lazy("you share sixth place"),
    gettext_lazy("you share seventh place"),
)
"""The reader's place in words if others share it."""
CHANGED: Final = {
    "starts_at": gettext_lazy("It begins %(now)s (before: %(before)s)."),
    "ends_at": gettext_lazy("It ends %(now)s (before: %(before)s)."),
    "venue": gettext_lazy("Venue: %(now)s (before: %(before)s)."),
}
"""The sentence about each changed setting of an event."""
