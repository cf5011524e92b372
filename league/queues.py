"""The queues of jobs, their time limits, and the schedule of beat; the settings pass them to
Celery."""

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
"""A queue for each kind of job, with its time limit in seconds. A worker takes from its queues in
turn, so that none waits behind another; `league/up/processes.py` assigns them.

A job beyond the limit gets an exception, so that it can store how it ended; a minute later it is
killed."""
QUEUED: Final = {
    "league.stages.round.tasks.draw_round": "draws",
    "league.floor.timetable.tasks.make_timetable": "analysis",
    "league.records.upload.tasks.preview_large": "previews",
    "league.records.upload.tasks.run_imports": "imports",
    "league.standings.ranking.tasks.count_backlog": "imports",
    "league.standings.ranking.tasks.rebuild_ranking": "analysis",
    "league.standings.ranking.tasks.read_styles": "analysis",
    "league.site.audit.tasks.audit_club": "analysis",
    "league.core.delivery.tasks.send_letter": "mail",
    "league.core.delivery.tasks.send_delayed_letter": "mail",
    "league.notices.notice.tasks.mail_notice": "mail",
    "league.notices.notice.tasks.push_notice": "push",
}
"""The jobs that have another queue than `counting`."""
LAST: Final = {"league.standings.ranking.tasks.read_styles", "league.site.audit.tasks.audit_club"}
"""The jobs that nobody waits for: a worker takes them once all its queues are empty otherwise."""
ROUTES: Final[dict[str, dict[str, Any]]] = {
    job: {"queue": queue, "priority": 9 if job in LAST else 0} for job, queue in QUEUED.items()
}
"""The routes of calls; of Redis' priorities 0 comes first, and 9 last."""
SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    "sweep-rankings": {
        "task": "league.standings.ranking.tasks.sweep_rankings",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    "sweep-imports": {
        "task": "league.records.upload.tasks.sweep_imports",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    "sweep-rounds": {
        "task": "league.stages.round.tasks.sweep_rounds",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    "sweep-timetables": {
        "task": "league.floor.timetable.tasks.sweep_timetables",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "sweep-audits": {
        "task": "league.site.audit.tasks.sweep_audits",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "sweep-letters": {
        "task": "league.core.delivery.tasks.sweep_letters",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "send-delayed-letter": {
        "task": "league.core.delivery.tasks.send_delayed_letter",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "sweep-sheets": {
        "task": "league.sheets.confirmation.tasks.sweep_sheets",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "sweep-reminders": {
        "task": "league.disputes.reminder.tasks.sweep_reminders",
        "schedule": 300.0,
        "options": {"expires": 300.0},
    },
    "end-online-tables": {
        "task": "league.play.online_table.tasks.end_tables",
        "schedule": 300.0,
        "options": {"expires": 300.0},
    },
    "end-online-turns": {
        "task": "league.play.online_table.tasks.end_counted_turns",
        "schedule": 15.0,
        "options": {"expires": 15.0},
    },
    "sweep-turns": {
        "task": "league.play.online_table.tasks.sweep_turns",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "sweep-turn-notices": {
        "task": "league.notices.notice.tasks.sweep_turns",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "sweep-notices": {
        "task": "league.notices.notice.tasks.sweep_notices",
        "schedule": 5.0,
        "options": {"expires": 5.0},
    },
    "sweep-sendings": {
        "task": "league.notices.notice.tasks.sweep_sendings",
        "schedule": 30.0,
        "options": {"expires": 30.0},
    },
    "set-due-times-back": {
        "task": "league.site.health.tasks.set_due_times_back",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "audit-clubs": {
        "task": "league.site.audit.tasks.audit_clubs",
        "schedule": crontab(hour=3, minute=30),
    },
    "forget-keys": {"task": "league.core.key.tasks.forget_keys", "schedule": 24 * 3600.0},
    "forget-entries-by-mail": {
        "task": "league.events.entry.tasks.forget_entries_by_mail",
        "schedule": 24 * 3600.0,
    },
    "forget-invitations": {
        "task": "league.core.member.tasks.forget_invitations",
        "schedule": 24 * 3600.0,
    },
    "forget-helper-invitations": {
        "task": "league.events.helper.tasks.forget_helper_invitations",
        "schedule": 24 * 3600.0,
    },
    "forget-sign-ins": {
        "task": "league.core.account.tasks.forget_sign_ins",
        "schedule": 24 * 3600.0,
    },
    "keep-second-factors": {
        "task": "league.core.account.tasks.keep_second_factors",
        "schedule": 24 * 3600.0,
    },
    "forget-letters": {
        "task": "league.core.delivery.tasks.forget_letters",
        "schedule": 24 * 3600.0,
    },
    "forget-chat-lines": {"task": "league.play.chat.tasks.forget_lines", "schedule": 24 * 3600.0},
    "forget-photos": {"task": "league.records.photo.tasks.forget_photos", "schedule": 24 * 3600.0},
    "forget-statements": {
        "task": "league.disputes.statement.tasks.forget_statements",
        "schedule": 24 * 3600.0,
    },
    "forget-notices": {
        "task": "league.notices.notice.tasks.forget_notices",
        "schedule": 24 * 3600.0,
    },
}
"""When a job is called: after each number of seconds, or at an hour.

A call that expires is dropped if no worker has taken it by the next one; daily calls wait until one
does."""
