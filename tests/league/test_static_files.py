"""Scripts that import others import the files that pages name and the service worker keeps."""

import re
from pathlib import Path

from django.core.files.storage import FileSystemStorage

from league.sheets.scorer.web import FILES, MODULES
from league.static_files import HashedFiles

SOURCE = Path(__file__).parents[2] / "league" / "static"


def test_a_script_imports_another_by_the_name_that_pages_have_for_it(tmp_path: Path) -> None:
    source = FileSystemStorage(location=str(SOURCE))
    collected = HashedFiles(location=str(tmp_path), base_url="/static/")
    names = (*MODULES, *(name for name in FILES if name.endswith(".js")))
    for name in names:
        with source.open(name) as file:
            collected.save(name, file)
    for _, _, done in collected.post_process({name: (collected, name) for name in names}):
        assert not isinstance(done, Exception), done
    served = {collected.stored_name(name).removeprefix("league/") for name in names}
    assert all(re.fullmatch(r"[\w/-]+\.[0-9a-f]{12}\.js", name) for name in served)
    imported = {
        str(Path(name).parent / target)
        for name in served
        for target in re.findall(
            r'(?:from |import\()"\./([^"]+)"',
            (tmp_path / "league" / name).read_text(encoding="utf-8"),
        )
    }
    assert imported
    assert imported <= served
