"""Stages: one format inside an event, its settings, and who takes part."""
