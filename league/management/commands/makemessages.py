"""Django's `makemessages`, with the sentences of checkers and services."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Collects the templates of `say` and `bad` (engine.messages) along with marked strings."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=say", "--keyword=bad:2"]
