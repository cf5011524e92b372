"""The words of each notice: its title, its text, and the address of the page that it is about."""

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
    """The names of players and the messages that texts of several notices need, by public id, and
    the receipts of the entries that made them, by club and position."""

    names: Mapping[str, str]
    messages: Mapping[str, EventMessage]
    receipts: Mapping[tuple[int, int], str] = field(default_factory=dict)


TitleBodyPath = tuple[str, str, str]


def event_path(notice: Notice) -> str:
    """The address of the public page of a notice's event, or of the club for news of no event."""
    if notice.event is None:
        return reverse("club", args=[notice.club.slug])
    return reverse("event", args=[notice.club.slug, notice.event.slug])


def waiting(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    text = gettext(
        "You are number %(place)d. As soon as a place is free it is the next one’s, and you "
        "are told."
    )
    title = gettext("On the waiting list: %(event)s") % _named(notice)
    return title, text % {"place": notice.parameters.get("place", 1)}, event_path(notice)


def changed(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    before, after = notice.parameters["before"], notice.parameters["after"]
    lines = [
        str(label)
        % {"now": _value(notice, name, after[name]), "before": _value(notice, name, before[name])}
        for name, label in CHANGED.items()
        if name in after
    ]
    return gettext("Changed: %(event)s") % _named(notice), " ".join(lines), event_path(notice)


def table(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    it = notice.parameters
    number = it.get("number")
    title = gettext("Round %(round)d: table %(number)s") % {
        "round": it["round"],
        "number": number or it["place"],
    }
    seats = [words.names.get(player, "–") for player in it["seats"]]
    others = [name for player, name in zip(it["seats"], seats, strict=True) if player != it["own"]]
    lines = [f"{_place(notice)}, {it['stage']}."]
    if number and (where := table_where(number, it["place"])):
        lines.append(gettext("It stands here: %(where)s.") % {"where": where})
    if it["starts_at"]:
        lines.append(gettext("It begins: %(when)s.") % {"when": _shown(notice, it["starts_at"])})
    lines.append(gettext("With %(names)s.") % {"names": ", ".join(others)})
    lines.append(
        gettext("You open.")
        if it["seats"][0] == it["own"]
        else gettext("%(name)s opens.") % {"name": seats[0]}
    )
    return title, " ".join(lines), reverse("table", args=[it["table"]])


def moved(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    parameters = notice.parameters
    title = gettext("Another time or place: round %(round)d, table %(number)s")
    number = parameters.get("number") or parameters["place"]
    return title % {"round": parameters["round"], "number": number}, *table(notice, words)[1:]


def taken_back(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Round %(round)d is taken back") % {"round": notice.parameters["round"]}
    text = gettext("%(event)s: your table no longer holds. Wait for the new draw.") % _named(notice)
    return title, text, event_path(notice)


def stage_finished(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("%(stage)s is finished") % {"stage": notice.parameters["stage"]}
    return title, f"{_place(notice)}. {_rank(notice)}".strip(), event_path(notice)


def replaced(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Another place in the end: %(event)s") % _named(notice)
    before = gettext("Before it was %(rank)d: a game of the event was corrected.")
    return (
        title,
        f"{_rank(notice)} {before % {'rank': notice.parameters['before']}}",
        event_path(notice),
    )


def _about_event(
    title: Promise, first: Callable[[Notice], str], text: Promise | str = ""
) -> Callable[[Notice, NoticeNames], TitleBodyPath]:
    """The words of a notice about its event, which its title names: what comes `first`, then always
    the same text."""
    return lambda notice, words: (
        str(title % _named(notice)),
        f"{first(notice)} {text}".rstrip(),
        event_path(notice),
    )


def _fixed_words(
    title: Promise, text: Promise, path: Callable[[Notice], str]
) -> Callable[[Notice, NoticeNames], TitleBodyPath]:
    """The words of a notice whose text is always the same, and whose title names but the event."""
    return lambda notice, words: (str(title % _named(notice)), str(text), path(notice))


def _game_path(notice: Notice) -> str:
    return reverse("game", args=[notice.parameters["game"]])


def _case_path(notice: Notice) -> str:
    return reverse("game-case", args=[notice.parameters["game"]])


def _statements_path(notice: Notice) -> str:
    return reverse("game-statements", args=[notice.parameters["game"]])


corrected = _fixed_words(
    gettext_lazy("A game of yours was corrected: %(event)s"),
    gettext_lazy("Its page shows what was changed, by whom, and why."),
    _game_path,
)
voided = _fixed_words(
    gettext_lazy("A game of yours is void: %(event)s"),
    gettext_lazy("It counts for nothing any more. Its page says why."),
    _game_path,
)
restored = _fixed_words(
    gettext_lazy("A game of yours counts again: %(event)s"),
    gettext_lazy("It was void, and is restored. Its page says why."),
    _game_path,
)
objected = _fixed_words(
    gettext_lazy("Somebody objects to a result: %(event)s"),
    gettext_lazy("It is provisional until you rule on it: let it stand, or correct it."),
    _case_path,
)
heard = _fixed_words(
    gettext_lazy("An arbiter asks about a game of yours: %(event)s"),
    gettext_lazy(
        "The result is provisional until the arbiter rules. Say what you know on the page of "
        "the game."
    ),
    _game_path,
)
statement = _fixed_words(
    gettext_lazy("Somebody said what happened in a disputed game: %(event)s"),
    gettext_lazy("You can read it, and say what you saw yourself."),
    _statements_path,
)
unconfirmed = _fixed_words(
    gettext_lazy("A game waits for your word: %(event)s"),
    gettext_lazy(
        "It is over and written down. Look at the table’s page, and confirm it if it is right."
    ),
    lambda notice: reverse("table", args=[notice.parameters["table"]]),
)
proposed = _fixed_words(
    gettext_lazy("Was it played so? A correction is proposed: %(event)s"),
    gettext_lazy(
        "You sat there: look at it, and agree if it is right. Once all do, the game is corrected."
    ),
    lambda notice: reverse("proposal", args=[notice.parameters["proposal"]]),
)

arbiter_asks = _fixed_words(
    gettext_lazy("Shall somebody from outside rule on your game? %(event)s"),
    gettext_lazy(
        "An arbiter has accepted. Look who it is, and say yes or no: nobody’s silence counts "
        "as a yes."
    ),
    lambda notice: reverse("game-arbiter", args=[notice.parameters["game"]]),
)
arbiter_rules = _fixed_words(
    gettext_lazy("You can rule on a disputed game: %(event)s"),
    gettext_lazy("All who sat there agreed on you. The case shows all that is known of the game."),
    _case_path,
)


def ruled(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Ruling %(number)d on a game of yours: %(event)s")
    text = gettext("Its page says what was decided and why, and until when you can appeal.")
    return (
        title % {**_named(notice), **notice.parameters},
        text,
        reverse("ruling", args=[notice.subject]),
    )


def appealed(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("An appeal against ruling %(number)d: %(event)s") % {
        **_named(notice),
        **notice.parameters,
    }
    if notice.parameters["decides"]:
        text = gettext("Two arbiters who didn’t make the ruling decide. You can be one of them.")
        return title, text, _case_path(notice)
    text = gettext("The result is provisional until others have decided.")
    return title, text, reverse("ruling", args=[notice.parameters["ruling"]])


def called(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    parameters = notice.parameters
    place = table_name(parameters["number"])
    title = gettext("%(table)s calls you: %(event)s") % {"table": place, **_named(notice)}
    text = gettext(
        "It is about round %(round)d. Choose the case and the decision there: the table sees "
        "it at once."
    )
    path = reverse("open-game-call", args=[parameters["open_game"]])
    return title, text % {"round": parameters["round"]}, path


def objection_waits(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("An objection has waited for %(days)d days: %(event)s") % _waited(notice)
    text = gettext("The result is provisional until you rule on it: let it stand, or correct it.")
    return title, _joined(_raised(notice, words), _stuck(notice) or text), _case_path(notice)


def objection_late(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Nobody has ruled on an objection for %(days)d days: %(event)s") % _waited(
        notice
    )
    text = gettext(
        "All who can rule on it are told. The result is provisional until one of you lets it stand or corrects it."
    )
    return title, _joined(_raised(notice, words), _stuck(notice) or text), _case_path(notice)


def hearing_waits(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("A hearing has waited for %(days)d days: %(event)s") % _waited(notice)
    text = gettext(
        "The result is provisional until you rule: read what the table has said, and decide."
    )
    return title, _joined(_opened(notice), _stuck(notice) or text), _case_path(notice)


def hearing_late(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Nobody has ended a hearing for %(days)d days: %(event)s") % _waited(notice)
    text = gettext("All who can rule are told. The result is provisional until one of you does.")
    return title, _joined(_opened(notice), _stuck(notice) or text), _case_path(notice)


def appeal_waits(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("An appeal has waited for %(days)d days: %(event)s") % _waited(notice)
    return title, _joined(_against(notice), _to_decide(notice)), _case_path(notice)


def appeal_late(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Nobody has decided an appeal for %(days)d days: %(event)s") % _waited(notice)
    all_know = "" if notice.parameters["is_stuck"] else gettext("All who can decide it are told.")
    return title, _joined(_against(notice), all_know, _to_decide(notice)), _case_path(notice)


def _waited(notice: Notice) -> dict[str, Any]:
    return {**_named(notice), "days": notice.parameters["days"]}


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _raised(notice: Notice, words: NoticeNames) -> str:
    """For whom an objection was raised, and when, in the club's zone. The word isn't told, as in
    the first notice."""
    since = _since(notice)
    names = [words.names[player] for player in notice.parameters["seats"] if player in words.names]
    if not names:
        return gettext("It was raised on %(when)s.") % {"when": since}
    return gettext("It was raised for %(name)s on %(when)s.") % {"name": names[0], "when": since}


def _opened(notice: Notice) -> str:
    return gettext("It was opened on %(when)s.") % {"when": _since(notice)}


def _against(notice: Notice) -> str:
    text = gettext("It was raised on %(when)s against ruling %(number)d.")
    return text % {"when": _since(notice), "number": notice.parameters["number"]}


def _since(notice: Notice) -> str:
    """When a case began, in the club's zone."""
    return _shown(notice, notice.parameters["since"])


def _stuck(notice: Notice) -> str:
    """What organisers do where nobody of the club can rule; empty where somebody can."""
    if not notice.parameters.get("is_stuck"):
        return ""
    return gettext(
        "Every arbiter and organiser of the club played or entered this game, so none of you can rule on it. Invite "
        "somebody from outside on whom all seats agree: the page of the case leads there."
    )


def _to_decide(notice: Notice) -> str:
    """What is to be done about an appeal, by who reads it."""
    parameters = notice.parameters
    if parameters["is_stuck"]:
        return gettext(
            "It takes two arbiters who neither took part in the game nor made the ruling, and the club has too few of "
            "them. Invite somebody from outside on whom all seats agree, and who then decides alone: the page of the "
            "case leads there."
        )
    if parameters["is_agreed"]:
        return gettext(
            "All seats agreed on you, so you decide it alone. The result is provisional until then."
        )
    if parameters["is_drafted"]:
        return gettext(
            "A first arbiter has drafted a decision, which counts once a second one agrees: look at the draft on the "
            "page of the case. The result is provisional until then."
        )
    return gettext(
        "Two arbiters who didn’t make the ruling decide: draft a decision on the page of the case. The result is "
        "provisional until a second one agrees."
    )


def message(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    letter = words.messages.get(notice.subject)
    if letter is None or not letter.text:
        return (
            gettext("A message: %(event)s") % _named(notice),
            gettext("It is no longer kept."),
            event_path(notice),
        )
    return letter.subject, letter.text, event_path(notice)


def turn(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    text = gettext("It is your turn at an online table of %(club)s. You have until %(when)s.")
    return (
        gettext("Your turn against %(names)s") % _opponents(notice),
        _turn_text(text, notice),
        _table_path(notice),
    )


def turn_ends(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Your time runs out: your turn against %(names)s")
    text = gettext(
        "You have until %(when)s. After that your dice leave the game, and the others at this "
        "table of %(club)s "
        "play on without you."
    )
    return title % _opponents(notice), _turn_text(text, notice), _table_path(notice)


def game_over(notice: Notice, words: NoticeNames) -> TitleBodyPath:
    title = gettext("Your game against %(names)s is over") % _opponents(notice)
    result = _result(notice.parameters)
    if result:
        title = f"{title}: {result}"
    text = gettext("It was played turn by turn in %(club)s. The table’s page shows how it ended.")
    return title, text % {"club": notice.club.name}, _table_path(notice)


def _result(parameters: Mapping[str, Any]) -> str:
    """How the reader came out of a game; empty if nobody has a place."""
    if "rank" not in parameters:
        return ""
    places = SHARED_PLACES if parameters["shared"] else PLACES
    return str(places[parameters["rank"] - 1])


def _opponents(notice: Notice) -> dict[str, str]:
    return {"names": ", ".join(notice.parameters["others"])}


def _turn_text(text: str, notice: Notice) -> str:
    """A text with the club and the end of the turn, in the time zone of the player."""
    ends_at = datetime.fromisoformat(notice.parameters["ends_at"])
    zone = notice.parameters["zone"]
    when = date_format(ends_at.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT")
    return text % {"club": notice.club.name, "when": f"{when} ({zone})"}


def _table_path(notice: Notice) -> str:
    return reverse("online-table", args=[notice.subject])


def _named(notice: Notice) -> dict[str, str]:
    return {"event": _place(notice)}


def _place(notice: Notice) -> str:
    """The name of the event, or of the club for news of no event."""
    return notice.event.name if notice.event else notice.club.name


def _when_and_where(notice: Notice) -> str:
    """Begin and place of the event, as they are now."""
    if notice.event is None:
        return ""
    begins = _shown(notice, notice.event.starts_at.isoformat())
    return f"{begins}, {notice.event.venue}." if notice.event.venue else f"{begins}."


def _rank(notice: Notice) -> str:
    """The place at which somebody finished; empty if there is none."""
    it = notice.parameters
    if "rank" not in it:
        return ""
    rank = gettext("Your rank: %(rank)d of %(count)d.") % it
    if it.get("group"):
        text = gettext("%(group)s: your rank is %(rank)d of %(count)d.")
        rank = text % {**it, "group": group_title(it["group"])}
    if it.get("provisional"):
        rank += " " + gettext(
            "It is provisional: the result of a game that you played is disputed."
        )
    return str(rank)


def _value(notice: Notice, name: str, value: str | None) -> str:
    """A setting of an event as people read it; a dash for nothing."""
    if not value:
        return "–"
    return value if name == "venue" else _shown(notice, value)


def _shown(notice: Notice, moment: str) -> str:
    """A time, as it is stored, in the club's zone."""
    return date_format(
        datetime.fromisoformat(moment).astimezone(ZoneInfo(notice.club.timezone)), "DATETIME_FORMAT"
    )


entered = _about_event(gettext_lazy("You have a place: %(event)s"), _when_and_where)
moved_up = _about_event(
    gettext_lazy("A place is yours now: %(event)s"),
    _when_and_where,
    gettext_lazy("You can’t come? Withdraw, and the next one gets the place."),
)
withdrawn = _about_event(
    gettext_lazy("Your entry is withdrawn: %(event)s"),
    _when_and_where,
    gettext_lazy("An organiser of the club has withdrawn it. Ask them if you didn’t expect that."),
)
cancelled = _about_event(gettext_lazy("Cancelled: %(event)s"), _when_and_where)
finished = _about_event(gettext_lazy("%(event)s is over"), _rank)

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
"""How somebody came out of a game, by place; a table has eight seats at most."""
SHARED_PLACES: Final = (
    gettext_lazy("you share first place"),
    gettext_lazy("you share second place"),
    gettext_lazy("you share third place"),
    gettext_lazy("you share fourth place"),
    gettext_lazy("you share fifth place"),
    gettext_lazy("you share sixth place"),
    gettext_lazy("you share seventh place"),
)
"""The same where others have the same place."""
CHANGED: Final = {
    "starts_at": gettext_lazy("It begins %(now)s (before: %(before)s)."),
    "ends_at": gettext_lazy("It ends %(now)s (before: %(before)s)."),
    "venue": gettext_lazy("The place: %(now)s (before: %(before)s)."),
}
"""The sentence about each setting of an event that may have changed."""
