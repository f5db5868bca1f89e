"""`python -m sickbay` is the same program."""

import sys

from sickbay.cli.main import main

sys.exit(main())
