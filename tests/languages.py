"""The languages of the pages: those that have to be complete, and which pages of the manual each
has."""

from django.conf import settings

from league.languages import ENGLISH
from league.site.manual.web import page_file

COMPLETE = ("de", "nl")
"""The languages that lack nothing. Any other may lack words and pages of the manual, which are in
English then."""
TRANSLATIONS = [language for language, _name in settings.LANGUAGES if language != ENGLISH]


def languages_of(page: str) -> list[str]:
    """The languages in which the manual has, or has to have, a page."""
    return [
        ENGLISH,
        *(code for code in TRANSLATIONS if code in COMPLETE or page_file(page, code).exists()),
    ]
