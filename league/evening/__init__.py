"""Running an event: the cockpit, the next step, check-in, the course of stages, the same again."""
