"""The hall: places and times, the timetable, the clock, the hall’s screen."""
