"""Templates are served without their indentation; everything else of them stays."""

from pathlib import Path

import pytest
from django.template import Context, Engine, TemplateDoesNotExist
from django.test import Client

TEXT = """<ul>
  {% if a %}
\t  <li title="two  spaces">{{ a }}  b</li>
  {% endif %}
</ul>
"""


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    (tmp_path / "list.html").write_text(TEXT)
    return Engine(dirs=[str(tmp_path)], loaders=["league.template_loader.Loader"])


def test_lines_begin_with_their_first_sign(engine: Engine) -> None:
    lines = [line.lstrip() for line in TEXT.splitlines(keepends=True)]
    assert engine.get_template("list.html").source == "".join(lines)


def test_what_a_variable_holds_keeps_its_indentation(engine: Engine) -> None:
    assert "1\n  2  b</li>" in engine.get_template("list.html").render(Context({"a": "1\n  2"}))


def test_what_is_not_there_is_not_found(engine: Engine) -> None:
    with pytest.raises(TemplateDoesNotExist):
        engine.get_template("nothing.html")


def test_pages_are_not_indented(client: Client) -> None:
    assert "\n " not in client.get("/docs/").content.decode()
