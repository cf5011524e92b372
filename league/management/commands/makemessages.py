"""`makemessages` as Django has it, and the sentences that a checker or a service says, too."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Collects the templates of `say` and `bad` (engine.messages) along with what pages mark for
    translation."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=say", "--keyword=bad:2"]
