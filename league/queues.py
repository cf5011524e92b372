"""Which job waits in which queue, how long it may take, and when beat calls it; the settings hand it to Celery."""

from typing import Any, Final

from celery.schedules import crontab

QUEUES: Final = {
    "counting": 5 * 60,
    "draws": 60,
    "previews": 10 * 60,
    "imports": 10 * 60,
    "analysis": 60 * 60,
    "mail": 60,
    "push": 60,
}
"""A queue for each kind of job; a worker takes from its queues in turn, so that none waits behind others.
`league/up/processes.py` says who works on which.

What takes longer than its queue's limit, in seconds, is told so, to write how it ended, and a minute later killed.
"""
QUEUED: Final = {
    "league.draws.tasks.draw_round": "draws",
    "league.hall.tasks.make_timetable": "analysis",
    "league.records.tasks.preview_large": "previews",
    "league.records.tasks.run_imports": "imports",
    "league.rankings.tasks.count_backlog": "imports",
    "league.rankings.tasks.rebuild_ranking": "analysis",
    "league.rankings.tasks.read_styles": "analysis",
    "league.audits.tasks.audit_club": "analysis",
    "league.clubs.tasks.send_letter": "mail",
    "league.notices.tasks.mail_notice": "mail",
    "league.notices.tasks.push_notice": "push",
}
"""The jobs that don't wait in the queue `counting`."""
LAST: Final = {"league.rankings.tasks.read_styles", "league.audits.tasks.audit_club"}
"""The jobs that nobody waits for: a worker takes them once nothing else lies in any of its queues."""
ROUTES: Final[dict[str, dict[str, Any]]] = {
    job: {"queue": queue, "priority": 9 if job in LAST else 0} for job, queue in QUEUED.items()
}
"""Where calls go; of Redis' priorities 0 is the first, and 9 the last."""
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "sweep-rankings": {"task": "league.rankings.tasks.sweep_rankings", "schedule": 10.0, "options": {"expires": 10.0}},
    "sweep-imports": {"task": "league.records.tasks.sweep_imports", "schedule": 10.0, "options": {"expires": 10.0}},
    "sweep-rounds": {"task": "league.draws.tasks.sweep_rounds", "schedule": 10.0, "options": {"expires": 10.0}},
    "sweep-timetables": {
        "task": "league.hall.tasks.sweep_timetables",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "sweep-audits": {"task": "league.audits.tasks.sweep_audits", "schedule": 30.0, "options": {"expires": 30.0}},
    "sweep-letters": {"task": "league.clubs.tasks.sweep_letters", "schedule": 30.0, "options": {"expires": 30.0}},
    "sweep-sheets": {"task": "league.sheets.tasks.sweep_sheets", "schedule": 30.0, "options": {"expires": 30.0}},
    "sweep-notices": {"task": "league.notices.tasks.sweep_notices", "schedule": 5.0, "options": {"expires": 5.0}},
    "sweep-sendings": {"task": "league.notices.tasks.sweep_sendings", "schedule": 30.0, "options": {"expires": 30.0}},
    "set-due-times-back": {
        "task": "league.site.tasks.set_due_times_back",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "audit-clubs": {"task": "league.audits.tasks.audit_clubs", "schedule": crontab(hour=3, minute=30)},
    "forget-keys": {"task": "league.clubs.tasks.forget_keys", "schedule": 24 * 3600.0},
    "forget-entries-by-mail": {"task": "league.entries.tasks.forget_entries_by_mail", "schedule": 24 * 3600.0},
    "forget-invitations": {"task": "league.clubs.tasks.forget_invitations", "schedule": 24 * 3600.0},
    "forget-helper-invitations": {
        "task": "league.events.tasks.forget_helper_invitations",
        "schedule": 24 * 3600.0,
    },
    "forget-sign-ins": {"task": "league.clubs.tasks.forget_sign_ins", "schedule": 24 * 3600.0},
    "keep-second-factors": {"task": "league.clubs.tasks.keep_second_factors", "schedule": 24 * 3600.0},
    "forget-letters": {"task": "league.clubs.tasks.forget_letters", "schedule": 24 * 3600.0},
    "forget-photos": {"task": "league.records.tasks.forget_photos", "schedule": 24 * 3600.0},
    "forget-notices": {"task": "league.notices.tasks.forget_notices", "schedule": 24 * 3600.0},
}
"""Every how many seconds, or at which hour, a job is called; a call that nobody took by the next one is dropped."""
