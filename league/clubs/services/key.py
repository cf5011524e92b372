"""Keys of programs."""

from league.clubs.models import ApiToken, Club, User


def token_create(*, club: Club, user: User, label: str) -> tuple[ApiToken, str]:
    """A new key for a club, acting as this account, and its secret: the only time it is known."""
    secret = ApiToken.new_secret()
    token = ApiToken.objects.create(club=club, user=user, label=label, digest=ApiToken.digest_of(secret))
    return token, secret
