"""`manage.py player rename|link|merge|part|erase --club SLUG …`: change a club's players."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from engine.illegal import Refused
from league.core.account.models import User
from league.core.club.models import Club
from league.core.locks import Busy
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.player.queries.player import account_named, player_named
from league.core.player.services.player import player_rename
from league.site.erasure.domain import Remedy
from league.site.erasure.queries import player_mentions
from league.site.erasure.services.erasure import player_erase
from league.site.erasure.services.merge import person_merge
from league.standings.player.services import player_link, player_part

BECOMES: Final = {
    Remedy.REMOVED: "removed",
    Remedy.REWRITTEN: "gets the pseudonym",
    Remedy.EMPTIED: "emptied",
    Remedy.BY_HAND: "stays, change it by hand before",
    Remedy.SEALED: "stays, a digest covers it",
}
"""What happens to a mention when a player is erased."""
PLAYER = "a handle, current or former, or a public id"


class Command(BaseCommand):
    """Rename, link, merge, part or erase a player."""

    help = (
        "Rename a player, link an account, merge two players who are one, undo that, or erase a "
        "player for good."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the verbs, and their players."""
        verbs = parser.add_subparsers(
            dest="verb", required=True, metavar="rename|link|merge|part|erase"
        )
        rename = verbs.add_parser(
            "rename", help="give a player another name or handle; the former handle stays good"
        )
        rename.add_argument("player", help=PLAYER)
        rename.add_argument("--name", help="the name that pages show")
        rename.add_argument("--handle", help="the handle used in records")
        link = verbs.add_parser("link", help="link a player to an account")
        link.add_argument("player", help=PLAYER)
        link.add_argument("account", nargs="?", help="its name or email address; none: nobody's")
        merge = verbs.add_parser("merge", help="make the games of a player count for another one")
        merge.add_argument("player", metavar="kept", help=PLAYER)
        merge.add_argument("other", metavar="merged", help=PLAYER)
        part = verbs.add_parser("part", help="undo the merge of a player")
        part.add_argument("player", help=PLAYER)
        erase = verbs.add_parser("erase", help="replace a player by a pseudonym everywhere")
        erase.add_argument("player", help=PLAYER)
        erase.add_argument(
            "--yes",
            action="store_true",
            help="erase for good; without it, everything is only listed",
        )
        erase.add_argument(
            "--spare",
            action="append",
            default=[],
            metavar="KEY",
            help=(
                "a mention of somebody else with the same name, by its key in the list; can be "
                "repeated"
            ),
        )
        for verb in verbs.choices.values():
            verb.add_argument("--club", required=True, help="slug of the club")
            verb.add_argument(
                "--reason",
                default="",
                help="why; everybody who can read the log sees it, so leave names out",
            )

    def handle(self, *, verb: str, club: str, player: str, reason: str, **options: Any) -> None:
        """Carry out the verb."""
        club_row = Club.objects.filter(slug=club).first()
        if club_row is None:
            raise CommandError(f"There is no club {club}.", returncode=2)
        try:
            player_row = player_named(club_row.pk, player)
            message = VERBS[verb](player_row, Actor(reason=reason), options)
        except Player.DoesNotExist as error:
            raise CommandError("The club has no such player.", returncode=2) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except Refused as refused:
            raise CommandError(f"{refused.illegal.code}: {refused}") from refused
        except Busy as error:
            raise CommandError(
                "Games or files are being added right now. Try again in a little while."
            ) from error
        self.stdout.write(message)


def rename(player: Player, actor: Actor, options: dict[str, Any]) -> str:
    """Rename a player, and return a message."""
    former_handle = player.handle
    changed = player_rename(
        player=player, actor=actor, name=options["name"], handle=options["handle"]
    )
    if not changed:
        return "That's the name already."
    return f"{former_handle} is {player.name} ({player.handle}) now."


def merge(player: Player, actor: Actor, options: dict[str, Any]) -> str:
    """Merge the other player, named in the options, into this one, and return a message."""
    other = options["other"]
    merged = player_named(player.club_id, other)
    person_merge(kept_player=player, merged=merged, actor=actor)
    return f"{other} is {player.handle} now. The tables will update in a moment."


def link(player: Player, actor: Actor, options: dict[str, Any]) -> str:
    """Link a player with an account, or unlink it, and return a message."""
    name_or_address = options["account"]
    try:
        account = account_named(name_or_address) if name_or_address else None
    except User.DoesNotExist as error:
        raise CommandError(f"There is no account {name_or_address}.", returncode=2) from error
    player_link(player=player, account=account, actor=actor)
    if account is None:
        return f"{player.handle} has no account."
    return f"{player.handle} has the account {account.username}."


def part(player: Player, actor: Actor, options: dict[str, Any]) -> str:
    """Undo a merge, and return a message."""
    player_part(merged=player, actor=actor)
    return f"{player.handle} is a separate player again. The tables will update in a moment."


def erase(player: Player, actor: Actor, options: dict[str, Any]) -> str:
    """Erase a player if there is `--yes`, and return a message; otherwise raise `CommandError` with
    a list of the mentions."""
    mentions = player_mentions(player)
    curable_keys = {mention.key for mention in mentions if mention.curable}
    unknown_keys = set(options["spare"]) - curable_keys
    if unknown_keys:
        raise CommandError(
            f"Nothing of this key can be spared: {', '.join(sorted(unknown_keys))}.", returncode=2
        )
    lines = [f"{BECOMES[mention.remedy]}: {mention} [{mention.key}]" for mention in mentions]
    if not options["yes"]:
        warning = f"This erases {player.name} for good and can't be undone. Add --yes to do it."
        raise CommandError("\n".join([*lines, warning]))
    if not player_erase(player=player, actor=actor, spared=options["spare"]):
        return "This player was erased before."
    return "\n".join([*lines, f"Only {player.handle} is left."])


VERBS: Final = {"rename": rename, "link": link, "merge": merge, "part": part, "erase": erase}
