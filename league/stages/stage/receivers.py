"""Latecomers who check in join the running stage."""

from league.events.entry.services.entry import entries_checked_in
from league.stages.stage.services.latecomer import stage_join

entries_checked_in.add(stage_join)
