"""The rules and the dashboard in `docker/monitoring/` name only what the service exports."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from league.site.metrics.domain import OWN
from league.site.metrics.queries import ServiceCollector
from league.up.host import Host
from league.up.parts import PartHeartbeat, parts_hear
from tests.architecture.checkout import ROOT
from tests.factories.counted import counted_season

FOLDER = ROOT / "docker" / "monitoring"
RULES: list[dict[str, Any]] = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0][
    "rules"
]
DASHBOARD: dict[str, Any] = json.loads((FOLDER / "dashboard.json").read_text())
PANELS: list[dict[str, Any]] = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
OF_PROMETHEUS = {"instance", "job"}
"""The labels that Prometheus adds."""
SELECTED = re.compile(r"\b(cups_up_\w+)(?:\{([^}]*)\})?")
GROUPED = re.compile(r"\bby \(([^)]*)\)")
SHOWN = re.compile(r"\{\{ ?(?:\$labels\.)?(\w+)[ }|]")


def expressions() -> Iterator[tuple[str, str, str]]:
    """Each expression with its name and its texts, which show labels."""
    for rule in RULES:
        yield rule["alert"], rule["expr"], rule["annotations"]["summary"]
    for panel in PANELS:
        for target in panel["targets"]:
            yield panel["title"], target["expr"], target["legendFormat"]


@pytest.fixture
def exported(db: None) -> dict[str, set[str]]:
    """The labels of all that is exported, by name."""
    counted_season(1)
    parts_hear(host=Host("1", "here"), heard=[PartHeartbeat("web-1", 1.0, 0)])
    labels: dict[str, set[str]] = {}
    for metric in OWN._collector_to_names:
        for name in OWN._collector_to_names[metric]:
            labels[name] = set(getattr(metric, "_labelnames", ()))
        if metric._type == "histogram":  # type: ignore[attr-defined]
            labels[f"{metric._name}_bucket"].add("le")  # type: ignore[attr-defined]
    for family in ServiceCollector(ask_database=True).collect():
        for sample in family.samples:
            labels[sample.name] = set(sample.labels)
    return labels


def test_every_figure_and_label_is_exported(exported: dict[str, set[str]]) -> None:
    for name, expression, text in expressions():
        known = set(OF_PROMETHEUS)
        for figure, selector in SELECTED.findall(expression):
            assert figure in exported, (name, figure)
            known |= exported[figure]
            selected = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector))
            assert selected <= exported[figure], (name, figure)
        grouped = {
            label.strip() for labels in GROUPED.findall(expression) for label in labels.split(",")
        }
        assert grouped <= known, name
        shown = set(SHOWN.findall(text)) - {"value", "if", "end"}
        kept = grouped if grouped else known
        assert shown <= kept, (name, shown)


def test_every_figure_is_on_the_dashboard(exported: dict[str, set[str]]) -> None:
    shown = {
        figure
        for panel in PANELS
        for target in panel["targets"]
        for figure, _ in SELECTED.findall(target["expr"])
    }
    bases = {re.sub(r"_(total|bucket|sum|count|created)$", "", name) for name in exported}
    assert {re.sub(r"_(total|bucket|sum|count)$", "", name) for name in shown} == bases


def test_every_panel_says_what_it_shows_and_in_which_unit() -> None:
    for panel in PANELS:
        assert panel["description"].endswith("."), panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]
    titles = [panel["title"] for panel in PANELS]
    assert len(titles) == len(set(titles))


def test_no_two_panels_lie_on_each_other() -> None:
    taken = set()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert x < 24
                assert (x, y) not in taken, panel["title"]
                taken.add((x, y))


def test_the_operators_notes_say_what_to_do_about_each_alert() -> None:
    notes = (ROOT / "docker" / "README.md").read_text()
    alerts = [rule["alert"] for rule in RULES]
    assert len(alerts) == len(set(alerts))
    assert set(re.findall(r"`(CupsUp\w+)`", notes)) == set(alerts)


def test_the_example_reads_the_rules() -> None:
    example = yaml.safe_load((FOLDER / "prometheus.yml").read_text())
    assert example["rule_files"] == ["alerts.yml"]
    for scraped in example["scrape_configs"]:
        assert scraped["metrics_path"] == "/metrics"
        assert "credentials_file" in scraped["authorization"]
        assert scraped["job_name"].startswith("cups-up"), "alerts.yml selects by this name"


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool of Prometheus")
def test_the_rules_fire_when_they_should() -> None:
    for command in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
        subprocess.run(["promtool", *command], cwd=FOLDER, check=True)
