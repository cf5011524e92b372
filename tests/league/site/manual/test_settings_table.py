"""The manual's tables of settings: each setting with its value and default, in every language."""

import pytest
from django.utils.translation import override

from league.environment.declaration import GROUPS, MAIL, VARIABLES
from league.environment.variable import Variable
from league.languages import ENGLISH
from league.site.manual.domain import with_settings
from league.site.manual.web import manual
from tests.languages import languages_of
from tests.league.site.manual.test_docs import ids


@pytest.mark.parametrize("language", languages_of("settings"))
def test_every_setting_has_its_row(language: str) -> None:
    names = [variable.name.lower() for variable in VARIABLES]
    assert [anchor for anchor in ids("settings", language) if anchor in names] == names
    groups = [group.name for group in GROUPS]
    assert [anchor for anchor, _title in manual("settings", language).parts] == groups


@pytest.mark.parametrize("language", languages_of("mail"))
def test_the_page_on_mail_has_the_same_rows(language: str) -> None:
    rows = {anchor for anchor in ids("mail", language) if anchor.startswith(("email", "default"))}
    assert rows == {variable.name.lower() for variable in MAIL.variables}


def test_a_row_says_sentence_value_and_default() -> None:
    with override(ENGLISH):
        rows = with_settings("{settings}").splitlines()
    for variable in VARIABLES:
        (row,) = [row for row in rows if row.startswith(f"| `{variable.name}` ")]
        assert variable.about in row
        assert variable.kind.describe() in row
        assert row.count("|") == 5, "a sign of the table stands in a cell"
        if isinstance(variable, Variable):
            assert row.endswith(f"| `{variable.default}` |")
        else:
            assert variable.otherwise in row
        assert ("; secret |" in row) == variable.secret
        assert all(f"`{other.name}`" in row for other in variable.needed_with)


def test_a_page_without_the_line_stays_as_it_is() -> None:
    text = "# Title\n\nThe word {settings} in a line, and {settings mail} too.\n"
    assert with_settings(text) == text
