"""Who brings a player's code, or a letter's link, is that player, once, until somebody undoes
it."""

import threading

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from league.core.claim.models import CLAIM
from league.core.claim.queries import claim_code_of, own_claims
from league.core.claim.services import claim_codes_make, claim_end, player_claim
from league.core.frame.letter_link import digest_of
from league.core.log.models import LogEntry
from league.core.log.services import Actor
from league.models import Claim, ClaimCode, Club, Player, User
from league.site.erasure.services.erasure import player_erase
from league.standings.player.services import player_link, player_merge, player_part
from tests.factories.league import ClubFactory, PlayerFactory, UserFactory
from tests.factories.logged import stated_rows
from tests.league.site.audit.differences import club_differences

pytestmark = pytest.mark.django_db
ACTOR = Actor()


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def anna(club: Club) -> Player:
    return PlayerFactory.create(club=club, handle="anna", name="Anna")


def code_of(player: Player) -> str:
    (made,) = claim_codes_make(club=player.club, players=[player], actor=ACTOR)
    return made.code


def by_code(player: Player, user: User | None = None, code: str = "") -> Claim:
    return player_claim(player=player, way=Claim.Way.CODE, user=user, code=code or code_of(player))


def test_by_the_code_an_account_is_the_player(anna: Player) -> None:
    user = UserFactory.create()
    claim = by_code(anna, user)
    anna.refresh_from_db()
    assert anna.user == user
    assert list(own_claims(user)) == [claim]
    assert not ClaimCode.objects.exists()


def test_without_an_account_the_phone_gets_one_of_its_own_that_nobody_else_can_sign_in_to(
    anna: Player,
) -> None:
    user = by_code(anna).user
    assert user
    assert user.is_phone
    assert not user.has_usable_password()
    assert user.email == ""
    other = by_code(PlayerFactory.create(club=anna.club)).user
    assert other
    assert other != user, "two phones have no address in common"


def test_a_code_works_once(anna: Player) -> None:
    code = code_of(anna)
    claim_end(claim=by_code(anna, code=code), actor=ACTOR)
    with pytest.raises(ClaimCode.DoesNotExist):
        claim_code_of(code)
    with pytest.raises(ValidationError):
        by_code(anna, code=code)
    assert Claim.objects.count() == 1


def test_a_code_is_found_as_people_type_it(anna: Player) -> None:
    code = code_of(anna)
    assert claim_code_of(f" {code[:4].lower()}  {code[4:].lower()} ").player == anna


def test_who_has_a_code_keeps_it_unless_another_is_asked_for(anna: Player) -> None:
    code = code_of(anna)
    assert code_of(anna) == code
    (another,) = claim_codes_make(club=anna.club, players=[anna], actor=ACTOR, anew=True)
    assert another.code != code
    with pytest.raises(ClaimCode.DoesNotExist):
        claim_code_of(code)


def test_a_linked_a_merged_and_an_erased_player_get_no_code_and_can_t_be_claimed(
    anna: Player,
) -> None:
    linked = PlayerFactory.create(club=anna.club, user=UserFactory.create())
    erased = PlayerFactory.create(club=anna.club)
    player_erase(player=erased, actor=ACTOR)
    merged = PlayerFactory.create(club=anna.club)
    player_merge(kept_player=anna, merged=merged, actor=ACTOR)
    assert claim_codes_make(club=anna.club, players=[linked, erased, merged], actor=ACTOR) == []
    for player in (linked, erased):
        with pytest.raises(ValidationError):
            player_claim(player=player, way=Claim.Way.MAIL, user=UserFactory.create())


def test_an_account_is_one_player_of_a_club(anna: Player) -> None:
    user = UserFactory.create()
    by_code(anna, user)
    with pytest.raises(ValidationError, match="Anna"):
        by_code(PlayerFactory.create(club=anna.club), user)
    assert by_code(PlayerFactory.create(), user).user == user, (
        "in another club it may be another one"
    )
    assert User.objects.count() == 1


def test_a_claim_that_is_refused_leaves_no_phone_behind(anna: Player) -> None:
    by_code(anna)
    with pytest.raises(ValidationError):
        player_claim(player=anna, way=Claim.Way.MAIL, user=None)
    assert User.objects.count() == 1


def test_undone_nobody_is_the_player_and_the_phone_is_signed_out(anna: Player) -> None:
    claim = by_code(anna)
    assert claim_end(claim=claim, actor=ACTOR)
    assert not claim_end(claim=claim, actor=ACTOR)
    anna.refresh_from_db()
    assert anna.user is None
    assert [user.is_active for user in User.objects.all()] == [False]
    assert by_code(anna).ended_at is None, "it can be claimed again"


def test_undone_in_a_club_a_phone_stays_who_it_is_in_another_one(anna: Player) -> None:
    claim = by_code(anna)
    elsewhere = by_code(PlayerFactory.create(), claim.user)
    claim_end(claim=claim, actor=ACTOR)
    assert User.objects.get().is_active
    claim_end(claim=elsewhere, actor=ACTOR)
    assert not User.objects.get().is_active


def test_a_phone_that_was_given_a_password_is_signed_out_all_the_same(anna: Player) -> None:
    claim = by_code(anna)
    assert claim.user
    claim.user.set_password("three stars and a lie")
    claim.user.save()
    claim_end(claim=Claim.objects.get(), actor=ACTOR)
    assert not User.objects.get().is_active


def test_an_account_without_an_address_that_is_no_phones_stays(anna: Player) -> None:
    user = UserFactory.create(username="operator", email="")
    claim = player_claim(player=anna, way=Claim.Way.LIST, user=user)
    claim_end(claim=claim, actor=ACTOR)
    user.refresh_from_db()
    assert user.is_active


def test_linked_otherwise_the_claim_ends(anna: Player) -> None:
    claim = by_code(anna)
    user = UserFactory.create()
    assert player_link(player=anna, account=user, actor=ACTOR)
    claim.refresh_from_db()
    anna.refresh_from_db()
    assert claim.ended_at
    assert anna.user == user


def test_linked_otherwise_a_claim_that_a_merge_moved_ends_too(anna: Player) -> None:
    annie = PlayerFactory.create(club=anna.club)
    claim = by_code(annie)
    player_merge(kept_player=anna, merged=annie, actor=ACTOR)
    player_link(player=anna, account=UserFactory.create(), actor=ACTOR)
    assert claim.user
    assert not own_claims(claim.user)
    assert list(club_differences(anna.club_id)) == []


def test_linked_by_the_organisers_a_code_leads_nowhere(anna: Player) -> None:
    code = code_of(anna)
    player_link(player=anna, account=UserFactory.create(), actor=ACTOR)
    with pytest.raises(ClaimCode.DoesNotExist):
        claim_code_of(code)


def test_a_merge_moves_a_claim_and_its_undoing_gives_it_back(anna: Player) -> None:
    annie = PlayerFactory.create(club=anna.club)
    user = by_code(annie).user
    assert user
    player_merge(kept_player=anna, merged=annie, actor=ACTOR)
    with pytest.raises(ValidationError):
        by_code(anna, code="ABCDEFGH")
    assert [claim.player.merged_into for claim in own_claims(user)] == [anna]
    player_part(merged=annie, actor=ACTOR)
    assert [claim.player for claim in own_claims(user)] == [annie]


def test_the_code_of_a_player_who_was_merged_since_is_that_of_who_is_kept(anna: Player) -> None:
    annie = PlayerFactory.create(club=anna.club)
    code = code_of(annie)
    player_merge(kept_player=anna, merged=annie, actor=ACTOR)
    assert by_code(annie, code=code).player == anna


def test_erased_a_claim_tells_no_account_any_more(anna: Player) -> None:
    claim = player_claim(player=anna, way=Claim.Way.MAIL, user=None, key=digest_of("of a phone"))
    assert claim.key
    assert player_erase(player=anna, actor=ACTOR)
    claim.refresh_from_db()
    assert (claim.user, claim.key, bool(claim.ended_at)) == (None, "", True)
    assert list(club_differences(anna.club_id)) == []


def test_the_log_tells_that_there_is_a_code_and_not_which(anna: Player) -> None:
    code = code_of(anna)
    by_code(anna, code=code)
    actions = [
        entry.action for entry in LogEntry.objects.filter(club=anna.club, subject=anna.public_id)
    ]
    assert actions[-2:] == ["player.code_made", "player.claimed"]
    assert not any(code in entry.payload for entry in LogEntry.objects.all())


@pytest.mark.django_db(transaction=True)
def test_of_two_who_bring_a_code_at_the_same_moment_one_is_the_player(anna: Player) -> None:
    code = code_of(anna)
    start = threading.Barrier(2)
    outcomes: list[bool] = []

    def bring() -> None:
        try:
            start.wait()
            by_code(anna, code=code)
            outcomes.append(True)
        except ValidationError:
            outcomes.append(False)
        finally:
            connection.close()

    threads = [threading.Thread(target=bring) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [False, True]
    assert Claim.objects.count() == 1


def test_erased_a_claim_is_stated_without_an_account_whether_it_stands_or_has_ended(
    anna: Player,
) -> None:
    claim_end(claim=player_claim(player=anna, way=Claim.Way.MAIL, user=None), actor=ACTOR)
    player_claim(player=anna, way=Claim.Way.MAIL, user=UserFactory.create())
    assert len(accounts_stated(anna)) == 2
    assert None not in accounts_stated(anna)
    assert player_erase(player=anna, actor=ACTOR)
    assert accounts_stated(anna) == [None, None]
    assert stated_rows(anna.club_id, CLAIM) == CLAIM.of_club(anna.club_id)


def accounts_stated(player: Player) -> list[str | None]:
    return [cells["account"] for cells in stated_rows(player.club_id, CLAIM).values()]
