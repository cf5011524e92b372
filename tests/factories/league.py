"""Factories of clubs and the people in them."""

from datetime import date
from typing import Any

from allauth.mfa.models import Authenticator
from factory.declarations import LazyAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from league.core.club.services import club_create
from league.core.log.services import Actor, club_journal
from league.core.member.services.member import role_give
from league.core.player.services.player import players_create
from league.models import Club, Membership, Player, Role, Season, User
from league.standings.player.services import player_link
from league.standings.season.models import Notes
from league.standings.season.services.season import season_create


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = Sequence(lambda n: f"user{n}")
    email = LazyAttribute(lambda user: f"{user.username}@example.org")


class OperatorFactory(UserFactory):
    """Who runs the service, with the second factor that this takes."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    is_staff = True
    is_superuser = True

    @post_generation  # type: ignore[untyped-decorator]
    def second_factor(operator: User, create: bool, value: object, **options: object) -> None:  # noqa: N805
        """An app with codes."""
        Authenticator.objects.create(
            user=operator, type=Authenticator.Type.TOTP, data={"secret": ""}
        )


class ClubFactory(DjangoModelFactory[Club]):
    class Meta:
        model = Club

    @classmethod
    def _create(cls, model_class: type[Club], *args: Any, **settings: Any) -> Club:
        return club_create(actor=Actor(), **settings)

    slug = Sequence(lambda n: f"club-{n}")
    name = Sequence(lambda n: f"Club {n}")


class PlayerFactory(DjangoModelFactory[Player]):
    class Meta:
        model = Player

    club = SubFactory(ClubFactory)
    handle = Sequence(lambda n: f"player{n}")
    name = LazyAttribute(lambda player: player.handle.title())

    @classmethod
    def _create(cls, model_class: type[Player], *args: Any, **fields: Any) -> Player:
        handle, user = fields.pop("handle"), fields.pop("user", None)
        with club_journal(fields["club"].pk) as journal:
            player = players_create(journal, [handle], {handle: fields.pop("name")})[0]
        if user is not None:
            player_link(player=player, account=user, actor=Actor())
        Player.objects.filter(pk=player.pk).update(**fields)
        player.refresh_from_db()
        return player


class SeasonFactory(DjangoModelFactory[Season]):
    class Meta:
        model = Season

    @classmethod
    def _create(cls, model_class: type[Season], *args: Any, **settings: Any) -> Season:
        if "scoring" not in settings:
            settings.setdefault("notes", Notes.POINTS)
        return season_create(actor=Actor(), **settings)

    club = SubFactory(ClubFactory)
    slug = Sequence(lambda n: f"season-{n}")
    name = Sequence(lambda n: f"Season {n}")
    starts_on = date(2026, 9, 1)


class MembershipFactory(DjangoModelFactory[Membership]):
    class Meta:
        model = Membership

    @classmethod
    def _create(cls, model_class: type[Membership], *args: Any, **fields: Any) -> Membership:
        with club_journal(fields["club"].pk) as journal:
            return role_give(journal, fields["club"], fields["user"], Role(fields["role"]))

    club = SubFactory(ClubFactory)
    user = SubFactory(UserFactory)
    role = Role.ORGANISER
