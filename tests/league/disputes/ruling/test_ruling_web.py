"""Ruling in the browser: from the case to the preview, the ruling, the public list, and the
appeal."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries as Queries

from games.models import Game
from games.queries.void import game_void
from league.core.log.services import Actor
from league.disputes.hearing.services import hearing_open
from league.models import Appeal, AppealDraft, Hearing, Role, Ruling, User
from league.stages.adjustment.queries import ranks_counting
from tests.factories.league import MembershipFactory, UserFactory
from tests.factories.proposals import turned
from tests.league.disputes.ruling.rulings import (
    FINDING,
    WORD,
    Verb,
    decided,
    objected,
    ruled,
    ruling_form,
)

pytestmark = pytest.mark.django_db


def shown(response: Any) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def rule_page(game: Game, verb: str) -> str:
    return reverse("game-rule", args=[game.public_id, verb])


def case(game: Game) -> str:
    return reverse("game-case", args=[game.public_id])


def test_a_ruling_shows_what_it_changes_and_is_made_when_that_is_confirmed(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    page = rule_page(played, "voided")
    html = shown(of(ruler).get(page))
    assert "What this changes" in html
    assert "Confirm ruling" in html
    assert game_void(played) is None
    form = ruling_form()
    for _ in range(2):
        assert of(ruler).post(page, form)["Location"] == case(played)
    assert Ruling.objects.count() == 1
    assert game_void(played) is not None
    assert "Ruling 1" in shown(of(ruler).get(case(played)))


def test_what_is_missing_is_said_at_its_field(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    page = rule_page(played, "stands")
    html = shown(of(ruler).post(page, ruling_form(findings="", reason=" ")))
    assert html.count("This field is required.") == 2
    assert "The photo" not in html
    html = shown(of(ruler).post(page, ruling_form(rule="<script>", close_to="99", key="x")))
    assert html.count("Select a valid choice") == 2
    assert not Ruling.objects.exists()


def test_a_warning_asks_whom(played: Game, sitters: list[User], ruler: User) -> None:
    objected(played, sitters[1])
    page = rule_page(played, "warned")
    html = shown(of(ruler).get(page))
    assert "Preview changes" in html
    assert "Confirm ruling" not in html
    assert "Confirm ruling" in shown(of(ruler).get(f"{page}?seat=2"))
    assert "Confirm ruling" not in shown(of(ruler).get(f"{page}?seat=40"))
    of(ruler).post(page, ruling_form(seat="2"))
    assert Ruling.objects.get().seat == 2


def test_a_correction_of_what_is_disputed_goes_on_to_the_ruling(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    client = of(ruler)
    correct = reverse("game-correct", args=[played.public_id])
    sent = {"text": turned(played).decode(), "reason": "Mine.", "confirm": ""}
    html = client.post(correct, sent).content.decode()
    assert "Continue to the ruling" in html
    assert not Game.objects.filter(replaces=played).exists()
    line = unescape(html.split('name="line" value="')[1].split('"')[0])
    page = rule_page(played, "corrected")
    assert "Confirm ruling" in shown(client.post(page, {"line": line, "preview": ""}))
    client.post(page, ruling_form(line=line))
    assert Game.objects.get(replaces=played).reason == FINDING.reason
    assert Ruling.objects.get().outcome.replaces == played


@pytest.mark.parametrize("verb", ["voided", "restored"])
def test_the_plain_pages_lead_to_the_ruling(
    played: Game, sitters: list[User], ruler: User, verb: str
) -> None:
    objected(played, sitters[1])
    name = {"voided": "game-void", "restored": "game-restore"}[verb]
    assert of(ruler).get(reverse(name, args=[played.public_id]))["Location"] == rule_page(
        played, verb
    )


def test_an_unknown_verb_and_a_stranger_find_nothing(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    assert of(ruler).get(rule_page(played, "hanged")).status_code == 404
    club = played.season_game.season.club
    for user in (
        UserFactory.create(),
        MembershipFactory.create(club=club, role=Role.SCORER).user,
        sitters[0],
    ):
        assert of(user).get(rule_page(played, "stands")).status_code == 404
        assert of(user).post(rule_page(played, "stands"), ruling_form()).status_code == 404
        assert of(user).get(reverse("game-hear", args=[played.public_id])).status_code == 404
    assert not Ruling.objects.exists()


def test_a_hearing_is_opened_and_stands_on_the_case(played: Game, ruler: User) -> None:
    hear = reverse("game-hear", args=[played.public_id])
    assert "The result is provisional until you rule" in shown(of(ruler).get(hear))
    of(ruler).post(hear, {"word": "Who called <first>?"})
    assert Hearing.objects.get().word == "Who called <first>?"
    assert "Who called &lt;first&gt;?" in shown(of(ruler).get(case(played)))
    assert "already opened a hearing about this game" in shown(
        of(ruler).post(hear, {"word": "Again?"})
    )
    desk = reverse("desk-objections", args=[played.season_game.season.club.slug])
    assert "Open hearings" in shown(of(ruler).get(desk))


def test_everybody_reads_a_ruling_and_its_number_without_names(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruling = ruled(played, ruler, Verb.VOIDED)
    club = played.season_game.season.club
    listed = shown(Client().get(reverse("club-rulings", args=[club.slug])))
    assert "Ruling 1" in listed
    html = shown(Client().get(reverse("ruling", args=[ruling.public_id])))
    for words in (
        "The photo shows a star.",
        "The star counts as every face.",
        "/docs/rules#b4",
        "more likely than not",
    ):
        assert words in html
    read = re.sub("<[^>]+>", " ", html.split("<main")[1].split("</main")[0])
    for seat in played.seats.all():
        assert seat.handle not in read
    assert WORD not in html


def test_the_list_takes_as_many_queries_for_three_as_for_one(
    played: Game, sitters: list[User], ruler: User, django_assert_max_num_queries: Queries
) -> None:
    page = reverse("club-rulings", args=[played.season_game.season.club.slug])
    assert "No rulings" in shown(Client().get(page))
    for _ in range(3):
        hearing_open(game=played, word="Who called?", actor=Actor(ruler.pk))
        ruled(played, ruler)
        with django_assert_max_num_queries(6):
            Client().get(page)


def test_a_seat_appeals_and_two_other_arbiters_decide(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruling = ruled(played, ruler, Verb.VOIDED)
    page = reverse("ruling", args=[ruling.public_id])
    appeal = reverse("ruling-appeal", args=[ruling.public_id])
    assert appeal not in shown(Client().get(page))
    assert appeal in shown(of(sitters[0]).get(page))
    assert case(played) not in shown(of(sitters[0]).get(appeal)), "a seat sees no page of the case"
    assert case(played) in shown(of(ruler).get(appeal))
    assert of(UserFactory.create()).get(appeal).status_code == 404
    of(sitters[0]).post(appeal, {"seat": 0, "word": "It was the other table."})
    assert Appeal.objects.get().seat == 0
    club = played.season_game.season.club
    first, second = (MembershipFactory.create(club=club, role=Role.ARBITER).user for _ in range(2))
    assert "you made the ruling under appeal" in shown(of(ruler).get(case(played))).lower()
    page = rule_page(played, "restored")
    assert "Send to a second arbiter" in shown(of(first).get(page))
    of(first).post(page, ruling_form())
    draft = AppealDraft.objects.get()
    assert Ruling.objects.count() == 1
    draft_page = reverse("appeal-draft", args=[draft.public_id])
    assert draft_page in shown(of(second).get(case(played)))
    assert "Agree and rule" in shown(of(second).get(draft_page))
    assert "Agree and rule" not in shown(of(first).get(draft_page))
    assert "Agree and rule" not in shown(of(ruler).get(draft_page))
    assert of(sitters[0]).get(draft_page).status_code == 404
    of(second).post(draft_page)
    assert Ruling.objects.count() == 2
    assert game_void(played) is None
    assert of(second).get(draft_page).status_code == 404


def test_the_own_draft_is_discarded_and_an_appeal_withdrawn(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ruling = ruled(played, ruler)
    of(sitters[0]).post(
        reverse("ruling-appeal", args=[ruling.public_id]), {"seat": 0, "word": "No."}
    )
    other = MembershipFactory.create(club=played.season_game.season.club, role=Role.ARBITER).user
    of(other).post(rule_page(played, "stands"), ruling_form(key=str(uuid4())))
    discard = reverse("appeal-draft-discard", args=[AppealDraft.objects.get().public_id])
    assert of(ruler).post(discard).status_code == 404
    of(other).post(discard)
    assert not AppealDraft.objects.exists()
    withdraw = reverse("appeal-withdraw", args=[Appeal.objects.get().public_id])
    assert of(sitters[1]).post(withdraw).status_code == 404
    of(sitters[0]).post(withdraw)
    assert Appeal.objects.get().end.ruling is None


def test_a_seat_finds_the_question_of_a_hearing_on_the_page_of_the_game(
    played: Game, sitters: list[User], ruler: User
) -> None:
    hearing_open(game=played, word="Who called?", actor=Actor(ruler.pk))
    game = reverse("game", args=[played.public_id])
    html = shown(of(sitters[0]).get(game))
    assert "An arbiter asks the table:" in html
    statements = reverse("game-statements", args=[played.public_id])
    assert statements in html
    assert of(sitters[0]).get(statements).status_code == 200
    assert statements not in shown(Client().get(game))


def test_verbs_are_offered_in_groups_and_nothing_is_lifted_that_doesnt_stand(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    html = shown(of(ruler).get(case(played)))
    groups = [
        html.index(words)
        for words in ("The result stays", "The result changes", "The game no longer counts")
    ]
    assert groups == sorted(groups)
    assert (
        groups[0]
        < html.index("Warn a player")
        < groups[1]
        < html.index("Set another order")
        < groups[2]
    )
    assert "Lift penalties" not in html
    ruled(played, ruler, Verb.PENALISED, seat=0, points=2)
    hearing_open(game=played, word="Was that right?", actor=Actor(ruler.pk))
    assert "Lift penalties" in shown(of(ruler).get(case(played)))
    ruled(played, ruler, Verb.LIFTED)
    hearing_open(game=played, word="Is it right now?", actor=Actor(ruler.pk))
    assert "Lift penalties" not in shown(of(ruler).get(case(played)))
    ruled(played, ruler, Verb.ORDERED, ranks=(4, 3, 2, 1))
    hearing_open(game=played, word="And now?", actor=Actor(ruler.pk))
    assert "Lift penalties" in shown(of(ruler).get(case(played)))


def test_nobody_is_chosen_before_the_arbiter_chooses(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    for verb in ("warned", "penalised", "no_show"):
        html = shown(of(ruler).get(reverse("game-rule", args=[played.public_id, verb])))
        assert html.count('type="radio"') == len(sitters)
        assert " checked" not in html


def test_whoever_is_last_already_isnt_put_last(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ranks = ranks_counting(played)
    last = ranks.index(max(ranks))
    html = shown(
        of(ruler).get(reverse("game-rule", args=[played.public_id, "no_show"]) + f"?seat={last}")
    )
    assert (
        "This player is already last, so nothing would change: let the result stand, or warn the player."
        in html
    )


def test_the_case_says_what_the_reader_can_do_now(
    played: Game, sitters: list[User], ruler: User
) -> None:
    assert "Choose a ruling" not in shown(of(ruler).get(case(played)))
    objected(played, sitters[1])
    html = shown(of(ruler).get(case(played)))
    assert (
        html.index("Choose a ruling")
        < html.index("Statements and evidence")
        < html.index('id="ruling-head"')
    )
    assert "Hear the table…" in html
    ruled(played, ruler)
    decided(played, closed=False)
    assert "others have to decide it" in shown(of(ruler).get(case(played)))
    other = MembershipFactory.create(club=played.season_game.season.club, role=Role.ARBITER).user
    assert "your ruling is a draft until a second arbiter agrees" in shown(
        of(other).get(case(played))
    )


def test_the_order_to_be_set_begins_with_the_one_that_counts(
    played: Game, sitters: list[User], ruler: User
) -> None:
    objected(played, sitters[1])
    ranks = ranks_counting(played)
    html = shown(of(ruler).get(rule_page(played, "ordered")))
    assert re.findall(r'<option value="(\d)" selected>', html) == [str(rank) for rank in ranks]
