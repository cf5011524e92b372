"""Password rules, with our own messages."""

from __future__ import annotations

from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
)
from django.utils.translation import gettext


class LongEnough(MinimumLengthValidator):
    """A minimum length of passwords."""

    def get_error_message(self) -> str:
        """Return the message for a shorter password."""
        return gettext("This password is too short. Use at least %(length)d characters.") % {
            "length": self.min_length
        }

    def get_help_text(self) -> str:
        """Return the help text."""
        return gettext("At least %(length)d characters.") % {"length": self.min_length}


class NotOnesName(UserAttributeSimilarityValidator):
    """A ban on passwords that are similar to the account's name or address."""

    def get_error_message(self) -> str:
        """Return the message for a similar password."""
        return gettext("This password is too similar to your name or email address.")

    def get_help_text(self) -> str:
        """Return the help text."""
        return gettext("Not your name or email address.")


class NotEverybodys(CommonPasswordValidator):
    """A ban on the most common passwords."""

    def get_error_message(self) -> str:
        """Return the message for a common password."""
        return gettext("Many people use this password, so it’s easy to guess. Choose another one.")

    def get_help_text(self) -> str:
        """Return the help text."""
        return gettext("Not a password that many people use.")
