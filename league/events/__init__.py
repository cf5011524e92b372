"""Events: one date each, series of them, and their calendars."""
