"""The release is called the same everywhere, and the changelog begins with it."""

import json
import re

from django.conf import settings

from engine import __version__
from tests.architecture.checkout import ROOT, pyproject


def test_all_name_the_same_release() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    lock = json.loads((ROOT / "package-lock.json").read_text())
    assert pyproject()["project"]["version"] == __version__
    assert package["version"] == lock["version"] == __version__
    assert settings.SPECTACULAR_SETTINGS["VERSION"] == __version__


def test_the_changelog_begins_with_the_release() -> None:
    (newest, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest == __version__
