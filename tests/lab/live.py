"""Diagnosing a world of the lab: live, and over what was collected of it."""

import re
import time
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from azure.core.credentials import AccessToken

from sickbay.app import Settings, diagnose_saved
from sickbay.collect.azure import Account, Azure
from sickbay.collect.clouds import Cloud
from sickbay.collect.target import Wanted
from sickbay.lab.server import Lab
from sickbay.live import collect_live, diagnose_live
from sickbay.model.diagnosis import Diagnosis

EXPECTED = Path(__file__).parent / "expected.yaml"
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")


class Token:
    """A credential that never asks anybody."""

    async def get_token(self, *scopes: str, **options: Any) -> AccessToken:  # noqa: ARG002
        return AccessToken("lab", int(time.time()) + 3600)

    async def close(self) -> None:
        pass

    async def __aenter__(self) -> "Token":
        return self

    async def __aexit__(self, *args: object) -> None:
        pass


@cache
def expected() -> dict[str, dict[str, Any]]:
    """What is wrong in each world: `rule` and `subject`, or nothing where it is healthy."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(EXPECTED.read_text())
    return found


def azure(lab: Lab, target: str) -> Azure:
    cloud = Cloud("lab", lab.endpoint, lab.endpoint, logs=lab.endpoint)
    account = Account(cloud, ca_file=lab.ca_file, seconds=60, credential=Token())
    return Azure(account, Wanted(lab.estate.place.id(target)))


def live(lab: Lab, target: str) -> Diagnosis:
    return diagnose_live([azure(lab, target)], lab.estate.place.id(target), Settings())


def saved(lab: Lab, target: str, folder: Path) -> Diagnosis:
    bundle = str(folder / "case.sickbay")
    collect_live([azure(lab, target)], bundle, pseudonyms=False)
    return diagnose_saved(bundle, Settings())


def without_times(text: str) -> str:
    return TIME.sub("TIME", text)
