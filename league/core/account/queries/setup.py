"""Whether anybody has set the service up, and how somebody proves to be who runs it."""

from django.conf import settings
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from league.core.account.models import User


def is_set_up() -> bool:
    """True if there is an account."""
    return User.objects.exists()


def setup_token() -> str:
    """Read what who runs the service reads on its console, and types into the page of the first
    account.

    It follows from the service's secret, so all processes print the same, and nothing is stored.
    """
    return salted_hmac("league.setup", "first account", algorithm="sha256").hexdigest()[:32]


def is_setup_token(word: str) -> bool:
    """True if this is the token."""
    return constant_time_compare(word.strip(), setup_token())


def setup_address(origin: str = "") -> str:
    """The whole address of the page of the first account; without an `origin` it is the one that
    settings tell."""
    host = next((name.lstrip(".") for name in settings.ALLOWED_HOSTS if name != "*"), "localhost")
    where = origin or f"{'https' if settings.HTTPS else 'http'}://{host}"
    return f"{where}{reverse('setup')}?token={setup_token()}"
