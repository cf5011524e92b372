"""Whether anybody has set the service up, and how somebody proves to be who runs it."""

from django.utils.crypto import constant_time_compare, salted_hmac

from league.clubs.models import User


def is_set_up() -> bool:
    """Whether there is an account."""
    return User.objects.exists()


def setup_token() -> str:
    """What who runs the service reads on its console, and types into the page of the first account.

    It follows from the service's secret, so all processes print the same, and nothing is stored.
    """
    return salted_hmac("league.setup", "first account", algorithm="sha256").hexdigest()[:32]


def is_setup_token(word: str) -> bool:
    """Whether this is the token."""
    return constant_time_compare(word.strip(), setup_token())
