"""A result that is corrected once later stages have begun: what would be otherwise is said, and
kept or played anew."""

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.counting.event_counting.queries import events_ranking
from league.counting.event_counting.services import counting_change
from league.counting.event_rebuild.services import event_rebuild
from league.disputes.correction.services import CorrectionPreview, correction_preview, game_correct
from league.disputes.otherwise.domain.stage import event_otherwise
from league.disputes.otherwise.services import played_keep
from league.events.entry.services.entry import entry_withdraw
from league.models import (
    Entry,
    Event,
    FinalRank,
    Format,
    LogEntry,
    Participant,
    Season,
    Stage,
    StageRound,
    Table,
    User,
)
from league.stages.course.services.event import event_move
from league.stages.course.services.stage import (
    course_take_back,
    stage_finish,
    stage_set_back,
    stage_start,
)
from league.stages.placing.domain.place import event_places, stage_places
from league.stages.stage.queries.facts import started_stages
from tests.factories import events

pytestmark = pytest.mark.django_db
GROUPS: dict[str, Any] = {"name": "Groups", "groups": 2, "sizes": [2], "rounds": 2}
CUP: dict[str, Any] = {
    "name": "Cup",
    "format": Format.SINGLE,
    "sizes": [2],
    "rounds": None,
    "takes": 2,
}
MAIN: dict[str, Any] = {"name": "Main", "sizes": [4, 3], "rounds": 2, "takes": 3, "carry": True}
LAST: dict[str, Any] = {
    "name": "Last",
    "format": Format.FINAL,
    "sizes": [4],
    "rounds": 1,
    "takes": 4,
    "carry": True,
}
SHAPES = {"groups and a cup": (GROUPS, CUP), "points count on": (GROUPS, MAIN, LAST)}


def planned(season: Season, shape: tuple[dict[str, Any], ...], count: int = 8) -> Event:
    night = events.event(season, status=Event.Status.RUNNING)
    events.enter(night, events.players(season.club, count))
    for settings in shape:
        events.stage(night, start=False, seed="5e", **settings)
    return night


def stages(night: Event) -> list[Stage]:
    return list(
        Stage.objects.select_related("event__season__ranking", "event__club").filter(event=night)
    )


def play_stage(stage: Stage, luck: str, *, rounds: int | None = None) -> None:
    """Start a stage and play its rounds, or so many of them, with results of luck; whole stages are
    finished."""
    if Stage.objects.get(pk=stage.pk).status == Stage.Status.PLANNED:
        stage_start(stage=stage, actor=events.ACTOR)
    for _ in range(rounds or 99):
        try:
            drawn = events.drawn(stage)
        except ValidationError:
            break
        play_round(drawn, luck)
    if rounds is None:
        stage_finish(stage=stage, actor=events.ACTOR)


def play_round(drawn: StageRound, luck: str) -> None:
    """Each result follows from who sits at the table, so that whoever meets again comes in the same
    order."""
    facts = events.facts(drawn.stage)
    for table in facts.tables:
        if table.round_number == drawn.number and not table.finished:
            ids = sorted(facts.ids(table))
            random.Random(f"{luck} {ids}").shuffle(ids)
            events.finish(table.public_id, ids)


def play(night: Event, word: str, *, last: int | None = None) -> None:
    """Play all stages that aren't over, or only the first rounds of the last one."""
    for stage in stages(night):
        if stage.status != Stage.Status.FINISHED:
            play_stage(stage, word, rounds=last if stage == stages(night)[-1] else None)


def turned_round(game: Game) -> bytes:
    value = json.loads(write(sealed_record(game)[0]))
    ranks = value["outcome"]["rank"]
    value["outcome"]["rank"] = [{1: max(ranks), max(ranks): 1}.get(rank, rank) for rank in ranks]
    return json.dumps(value).encode()


def correct(game: Game, organiser: User) -> CorrectionPreview:
    """Correct a game; what the preview said."""
    preview = correction_preview(game=game, line=turned_round(game))
    game_correct(game=game, line=turned_round(game), reason="mixed up", entered_by_id=organiser.pk)
    return preview


def deciding(night: Event) -> Game:
    """A game of the first stage without which somebody else would be in the next one."""
    first = stages(night)[0]
    tables = Table.objects.filter(
        stage_round__stage=first, stage_round__status="finished"
    ).order_by("-pk")
    for table in tables:
        game = table.results.get().game
        preview = correction_preview(game=game, line=turned_round(game))
        if preview.event and any(row.made and row.made.new for row in preview.event.stages):
            return game
    raise AssertionError("no game decides anything")


def course(night: Event) -> list[Any]:
    """All that a reader sees of the event: who is where in each stage, who sat with whom, and how
    all came out."""
    found: list[Any] = []
    for facts in started_stages(night):
        members = sorted((m.entry_id, m.seed, m.carried, m.group) for m in facts.members.values())
        tables = sorted(
            (table.round_number, table.group, *sorted(facts.ids(table))) for table in facts.tables
        )
        found.append((members, tables, stage_places(facts)))
    return [*found, event_places(started_stages(night))]


@pytest.mark.parametrize("word", ["clubs", "hearts", "spades"])
@pytest.mark.parametrize("shape", SHAPES)
def test_corrected_taken_back_and_played_anew_is_as_played_right_the_first_time(
    season: Season, organiser: User, shape: str, word: str
) -> None:
    night = planned(season, SHAPES[shape])
    play(night, word)
    game = deciding(night)
    correct(game, organiser)
    # what would be otherwise is taken back from the first of it on, until nothing is left to decide
    while others := event_otherwise(started_stages(night)):
        if others[0].made:
            stage_set_back(stage=others[0].stage, actor=events.ACTOR)
        else:
            course_take_back(stage_round=others[0].rounds[0].stage_round, actor=events.ACTOR)
    play(night, word)
    corrected = course(night)
    assert event_rebuild(event_id=night.pk, actor=events.ACTOR).wrong == 0

    # the same night with the right result at that table from the start
    seats = {
        frozenset(row.entries): dict(zip(row.entries, row.ranks or (), strict=True))
        for row in right(night, game)
    }
    first = stages(night)[0]
    for later in stages(night)[1:2]:
        stage_set_back(stage=later, actor=events.ACTOR)
    beginning = StageRound.objects.exclude(status="taken_back").get(stage=first, number=1)
    course_take_back(stage_round=beginning, actor=events.ACTOR)
    while not events_all_drawn(first):
        drawn = events.drawn(first)
        facts = events.facts(first)
        for table in facts.tables:
            ranks = seats.get(frozenset(table.entries))
            if table.round_number == drawn.number and ranks:
                events.finish(
                    table.public_id,
                    [facts.members[pk].entry_id for pk in sorted(ranks, key=lambda pk: ranks[pk])],
                )
        play_round(drawn, word)
    play(night, word)
    assert course(night) == corrected


def right(night: Event, game: Game) -> list[Any]:
    """What the corrected game brought."""
    newest = Game.objects.get(replaces=game)
    return [newest.table_game.table.results.get()]


def events_all_drawn(stage: Stage) -> bool:
    return max((row.number for row in events.facts(stage).rounds), default=0) == stage.rounds


def test_a_group_game_corrected_after_the_draw_of_the_cup_says_who_would_be_in(
    season: Season, organiser: User, desk: Client
) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs", last=1)
    game = deciding(night)
    preview = correct(game, organiser)
    assert preview.event is not None
    (cup,) = [row for row in preview.event.stages if row.made]
    assert cup.made is not None
    assert (cup.stage.name, len(cup.made.new), len(cup.made.out)) == ("Cup", 1, 1)
    assert cup.made.first, "its first tables would be others"
    (others,) = [row for row in event_otherwise(started_stages(night)) if row.made]
    assert others.made == cup.made
    page = desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert "it would be made up differently" in page
    address = "/clubs/stern/desk/events/night-1/stages/2/otherwise/"
    html = desk.get(address).content.decode()
    assert f"{cup.made.new[0]} would come in" in html
    assert f"{cup.made.out[0]} would not be in it" in html
    assert "/stages/2/set-back/" in html


def test_the_page_before_a_correction_shows_it_across_stages(season: Season, desk: Client) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs", last=1)
    game = deciding(night)
    sent = {"text": turned_round(game).decode(), "reason": "mixed up"}
    html = desk.post(f"/games/{game.public_id}/correct/", sent).content.decode()
    assert "Later rounds were drawn from this result" in html
    assert "would come in" in html
    assert not Game.objects.filter(replaces=game).exists()


def test_the_organiser_keeps_it_and_the_cup_goes_on_as_it_was_drawn(
    season: Season, organiser: User, desk: Client
) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs", last=1)
    correct(deciding(night), organiser)
    cup = stages(night)[1]
    assert played_keep(stage=cup, actor=events.ACTOR) == 1
    assert played_keep(stage=cup, actor=events.ACTOR) == 0
    assert '"kept"' in LogEntry.objects.filter(action="stage.changed").latest("position").payload
    assert not [row for row in event_otherwise(started_stages(night)) if row.stage == cup]
    play(night, "clubs")
    assert stage_places(events.facts(cup))[0].place == 1
    assert desk.get("/clubs/stern/desk/events/night-1/stages/2/otherwise/").status_code == 302


def test_a_second_correction_asks_again(season: Season, organiser: User) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs", last=1)
    cup = stages(night)[1]
    game = deciding(night)
    correct(game, organiser)
    played_keep(stage=cup, actor=events.ACTOR)
    back = Game.objects.get(replaces=game)
    game_correct(
        game=back, line=turned_round(back), reason="right at first", entered_by_id=organiser.pk
    )
    assert event_otherwise(started_stages(night)) == [], "it is as it was drawn"


def test_set_back_by_the_page_the_stage_starts_anew_with_whom_the_results_bring(
    season: Season, organiser: User, desk: Client
) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs", last=1)
    preview = correct(deciding(night), organiser)
    assert preview.event is not None
    made = next(row.made for row in preview.event.stages if row.made)
    address = "/clubs/stern/desk/events/night-1/stages/2/set-back/"
    html = desk.get(address).content.decode()
    assert "2 games played there stay sealed" in html
    assert desk.post(address).status_code == 302
    cup = stages(night)[1]
    assert (cup.status, Participant.objects.filter(stage=cup).count()) == (Stage.Status.PLANNED, 0)
    stage_start(stage=cup, actor=events.ACTOR)
    names = set(Participant.objects.filter(stage=cup).values_list("entry__player__name", flat=True))
    assert set(made.new) < names
    assert not names & set(made.out)


def test_a_correction_within_the_finished_stage_takes_the_later_one_back_too(
    season: Season, organiser: User, desk: Client
) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs", last=1)
    first, cup = stages(night)
    game = (
        Table.objects.filter(stage_round__stage=first, stage_round__number=1)[0].results.get().game
    )
    correct(game, organiser)
    rows = [row for row in event_otherwise(started_stages(night)) if row.stage == first]
    assert [differs.stage_round.number for row in rows for differs in row.rounds] == [2]
    address = "/clubs/stern/desk/events/night-1/stages/1/rounds/2/take-back/"
    assert "Cup" in desk.get(address).content.decode()
    desk.post(address)
    assert [stage.status for stage in stages(night)] == [Stage.Status.RUNNING, Stage.Status.PLANNED]
    assert max(row.number for row in events.facts(first).rounds) == 1
    assert cup.stage_rounds.get().status == "taken_back"


def test_points_that_count_on_follow_at_once(season: Season, organiser: User) -> None:
    night = planned(season, (GROUPS, MAIN, LAST))
    play(night, "hearts", last=1)
    game = Table.objects.filter(stage_round__stage=stages(night)[0]).latest("pk").results.get().game
    correct(game, organiser)
    for before, after in pairwise(started_stages(night)):
        scores = {place.entry: place.score for place in stage_places(before)}
        for pk, member in after.members.items():
            assert member.carried == scores[pk] + before.members[pk].carried
    assert event_rebuild(event_id=night.pk, actor=events.ACTOR).wrong == 0


def test_a_first_round_that_was_drawn_by_points_that_counted_on_would_be_another(
    season: Season,
) -> None:
    night = planned(season, (GROUPS, {**MAIN, "takes": None}))
    play(night, "hearts", last=1)
    main = stages(night)[1]
    assert event_otherwise(started_stages(night)) == []
    for number, row in enumerate(Participant.objects.filter(stage=main)):
        Participant.objects.filter(stage=main, entry=row.entry_id).update(
            carried=840 * (number % 2)
        )
    (other,) = event_otherwise(started_stages(night))
    assert [differs.stage_round.number for differs in other.rounds] == [1]
    assert event_rebuild(event_id=night.pk, actor=events.ACTOR).wrong > 0
    assert event_otherwise(started_stages(night)) == []


def test_who_leaves_or_stays_away_later_is_no_correction(season: Season, organiser: User) -> None:
    night = planned(season, (GROUPS, CUP))
    first, cup = stages(night)
    play_stage(first, "spades")
    best = Entry.objects.get(pk=stage_places(events.facts(first))[0].entry)
    entry_withdraw(entry=best, actor=events.ACTOR)
    play_stage(cup, "spades", rounds=1)
    entry_withdraw(
        entry=Participant.objects.filter(stage=cup).latest("seed").entry, actor=events.ACTOR
    )
    assert event_otherwise(started_stages(night)) == []
    Entry.objects.filter(pk=best.pk).update(status=Entry.Status.ENTERED)
    assert event_otherwise(started_stages(night)) == []


def test_at_the_end_of_a_counted_event_the_ranks_and_the_season_s_points_are_shown(
    season: Season, organiser: User, desk: Client
) -> None:
    counting_change(season=season, actor=events.ACTOR, per="event", points_table=[10, 6, 3, 1])
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs")
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    final = (
        Table.objects.filter(stage_round__stage=stages(night)[1]).latest("pk").results.get().game
    )
    before = dict(FinalRank.objects.values_list("entry__player__name", "rank"))
    html = desk.post(
        f"/games/{final.public_id}/correct/",
        {"text": turned_round(final).decode(), "reason": "mixed up"},
    ).content.decode()
    assert "How the event ended" in html
    assert "The season, counted by events" in html
    preview = correct(final, organiser)
    assert preview.event is not None
    after = dict(FinalRank.objects.values_list("entry__player__name", "rank"))
    said = {
        row.name: (row.before and row.before.rank, row.after and row.after.rank)
        for row in preview.event.finals
    }
    assert said == {
        name: (before[name], after[name]) for name in after if before[name] != after[name]
    }
    assert [row.after and row.after.points for row in preview.event.season] == ["10", "6"]
    counted, people = events_ranking(season, season.event_counting)
    foreseen = {row.name: row.after.rank for row in preview.event.season if row.after}
    assert foreseen.items() <= {people[row.player].name: row.rank for row in counted}.items()


def test_a_finished_event_has_to_go_on_before_anything_is_taken_back(
    season: Season, organiser: User, desk: Client
) -> None:
    night = planned(season, (GROUPS, CUP))
    play(night, "clubs")
    event_move(event=night, status=Event.Status.FINISHED, actor=events.ACTOR)
    correct(deciding(night), organiser)
    address = "/clubs/stern/desk/events/night-1/stages/2/"
    assert f"{address}otherwise/" in desk.get("/clubs/stern/desk/events/night-1/").content.decode()
    assert (
        "resume the event on its dashboard first"
        in desk.get(f"{address}otherwise/").content.decode()
    )
    with pytest.raises(ValidationError, match="isn’t under way"):
        stage_set_back(stage=stages(night)[1], actor=events.ACTOR)
    assert desk.post(f"{address}otherwise/").status_code == 302


@pytest.mark.parametrize("format", [Format.SINGLE, Format.DOUBLE])
def test_a_bracket_goes_on_though_an_earlier_result_of_it_was_corrected(
    season: Season, organiser: User, desk: Client, format: str
) -> None:
    night = planned(season, ({"name": "Cup", "format": format, "sizes": [2], "rounds": None},), 8)
    (cup,) = stages(night)
    play_stage(cup, "clubs", rounds=2)
    game = Table.objects.filter(stage_round__stage=cup, stage_round__number=1)[0].results.get().game
    correct(game, organiser)
    assert event_otherwise(started_stages(night))
    assert desk.get("/clubs/stern/events/night-1/stages/1/bracket/").status_code == 200
    played_keep(stage=cup, actor=events.ACTOR)
    play_stage(cup, "clubs")
    assert [place.place for place in stage_places(events.facts(cup))][:3] == [1, 2, 3]
