"""`python -m sickbay` is the same program."""

from sickbay.cli.main import entry

entry()
