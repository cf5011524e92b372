"""What a password must be, in our words."""

from __future__ import annotations

from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
)
from django.utils.translation import gettext


class LongEnough(MinimumLengthValidator):
    """A password of some length."""

    def get_error_message(self) -> str:
        """What is wrong with a shorter one."""
        return gettext("This password is too short. Take at least %(length)d characters.") % {
            "length": self.min_length
        }

    def get_help_text(self) -> str:
        """What to take."""
        return gettext("At least %(length)d characters.") % {"length": self.min_length}


class NotOnesName(UserAttributeSimilarityValidator):
    """A password that doesn't follow from what everybody knows of somebody."""

    def get_error_message(self) -> str:
        """What is wrong with one that does."""
        return gettext("This password is too much like your name or your email address.")

    def get_help_text(self) -> str:
        """What to take."""
        return gettext("Not your name or your email address.")


class NotEverybodys(CommonPasswordValidator):
    """A password that isn't on the lists with which others begin to guess."""

    def get_error_message(self) -> str:
        """What is wrong with one that is."""
        return gettext("Many people use this password, so others try it first. Take another one.")

    def get_help_text(self) -> str:
        """What to take."""
        return gettext("Not one that many people use.")
