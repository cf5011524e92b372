"""Every page of the service by the name of its route: where it is in the demo, and who may open it.

`tests/architecture/test_pages.py` fails for a route that stands in neither list.
"""

from __future__ import annotations

from typing import NamedTuple

ORGANISER, ADMIN = "organiser@example.org", "admin@example.org"


class PageAt(NamedTuple):
    """An address, with public ids of the demo in braces; the account that opens it, nobody's where it is empty."""

    path: str
    account: str = ""


CLUB = "/clubs/becherkeller/"
PAGES: dict[str, list[PageAt]] = {
    "home": [PageAt("/")],
    "club_list": [PageAt("/clubs/")],
    "club": [PageAt(CLUB)],
    "club-log": [PageAt(f"{CLUB}log/", ORGANISER)],
    "club-players": [PageAt(f"{CLUB}players/", ORGANISER)],
    "club-player": [PageAt(f"{CLUB}players/{{player}}/", ORGANISER)],
    "player-rename": [PageAt(f"{CLUB}players/{{player}}/rename/", ORGANISER)],
    "player-link": [PageAt(f"{CLUB}players/{{player}}/link/", ORGANISER)],
    "player-merge": [PageAt(f"{CLUB}players/{{player}}/merge/", ORGANISER)],
    "player-part": [PageAt(f"{CLUB}players/{{player}}/part/", ORGANISER)],
    "player-erase": [PageAt(f"{CLUB}players/{{player}}/erase/", ORGANISER)],
    "season": [
        PageAt(f"{CLUB}herbstliga-2026/"),
        PageAt(f"{CLUB}herbstliga-2026/?q=zzz"),
        PageAt(f"{CLUB}kniffelrunde-2026/"),
        PageAt(f"{CLUB}all-time/"),
    ],
    "season-games": [PageAt(f"{CLUB}herbstliga-2026/games/")],
    "standing": [PageAt(f"{CLUB}herbstliga-2026/players/{{player}}/")],
    "player": [PageAt("/players/{player}/?season=herbstliga-2026"), PageAt("/players/{player}/")],
    "game": [
        PageAt("/games/{bluff}/"),
        PageAt("/games/{bluff}/?round=3&move=2&view=all&light=belief"),
        PageAt("/games/{kniffel}/?turn=5"),
    ],
    "import": [PageAt(f"{CLUB}herbstliga-2026/import/", ORGANISER)],
    "import-job": [PageAt("/imports/{job}/", ORGANISER)],
    "replay": [PageAt("/replay/")],
    "replayed": [PageAt("/replay/{packed}/?round=2&move=1"), PageAt("/replay/damaged/")],
    "service": [PageAt("/service/", ADMIN)],
    "docs": [PageAt("/docs/")],
    "rules": [PageAt("/docs/rules")],
    "doc": [PageAt("/docs/record"), PageAt("/docs/errors"), PageAt("/docs/api")],
    "desk": [PageAt(f"{CLUB}desk/", ORGANISER)],
    "desk-seasons": [PageAt(f"{CLUB}desk/seasons/", ORGANISER)],
    "desk-season-new": [PageAt(f"{CLUB}desk/seasons/new/", ORGANISER)],
    "desk-all-time": [PageAt(f"{CLUB}desk/seasons/all-time/", ORGANISER)],
    "desk-season": [PageAt(f"{CLUB}desk/season/herbstliga-2026/", ORGANISER)],
    "desk-imports": [PageAt(f"{CLUB}desk/imports/", ORGANISER)],
    "desk-members": [PageAt(f"{CLUB}desk/members/", ORGANISER)],
    "desk-keys": [PageAt(f"{CLUB}desk/keys/", ORGANISER)],
    "desk-club": [PageAt(f"{CLUB}desk/settings/", ORGANISER)],
    "season-print": [PageAt(f"{CLUB}herbstliga-2026/print/")],
    "styles": [PageAt(f"{CLUB}herbstliga-2026/styles/", ORGANISER)],
    "rank-days": [PageAt(f"{CLUB}herbstliga-2026/players/{{player}}/days/")],
    "my-page": [PageAt("/me/", ORGANISER)],
    "game-correct": [PageAt("/games/{bluff}/correct/", ORGANISER)],
    "search": [PageAt("/search/?q=karl")],
    "club-found": [PageAt("/service/club/", ADMIN)],
    "account_login": [PageAt("/accounts/login/")],
    "account_logout": [PageAt("/accounts/logout/", ORGANISER)],
    "account_inactive": [PageAt("/accounts/inactive/")],
    "account_signup": [PageAt("/accounts/signup/")],
    "account_email": [PageAt("/accounts/email/", ORGANISER)],
    "account_change_password": [PageAt("/accounts/password/change/", ORGANISER)],
    "account_reset_password": [PageAt("/accounts/password/reset/")],
    "account_reset_password_done": [PageAt("/accounts/password/reset/done/")],
    "account_reset_password_from_key": [PageAt("/accounts/password/reset/key/1-damaged/")],
    "account_reset_password_from_key_done": [PageAt("/accounts/password/reset/key/done/")],
}
NOT_WALKED = {
    "season-table": "a file",
    "season-heads": "a file",
    "game-record": "a file",
    "game-notation": "a file",
    "club-log-export": "a file",
    "season-handles": "a file",
    "season-players": "a part of a page",
    "desk-season-link": "the demo has no season that is seen by a link alone",
    "desk-member": "a form like that of desk-season",
    "desk-member-remove": "a step like player-erase",
    "desk-invitation": "the demo has no invitation",
    "desk-key": "the demo has no key",
    "invitation": "the demo has no invitation",
    "game-difference": "no game of the demo was corrected",
    "setup": "closed once there is an account",
    "web-health": "words for a machine",
    "import-confirm": "takes a form, and leads on",
    "import-drop": "takes a form, and leads on",
    "set_language": "takes a form, and leads on",
    "health": "words for a machine",
    "account_reauthenticate": "asked for only a while after signing in",
    "account_set_password": "leads on to the change: every account has a password",
    "account_email_verification_sent": "no address is verified",
    "account_confirm_email": "no address is verified",
    "account_confirm_login_code": "nobody signs in with a code",
}
"""The routes that aren’t walked, and why."""
