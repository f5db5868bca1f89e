"""A node on which nobody answers for kube-proxy, beside nodes on which it does."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kube_server import Api, Asked, Reply, Served, serving, status  # type: ignore[import-not-found]

from sickbay.app import Settings
from sickbay.collect.kubeconfig import access
from sickbay.collect.kubernetes import About, Kubernetes
from sickbay.live import diagnose_live

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
REFUSED = "error trying to reach service: dial tcp 10.0.0.2:10256: connect: connection refused"


@pytest.fixture
def served() -> Iterator[Served]:
    api = Api()
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    api.add("nodes", *({"metadata": {"name": name}, "status": ready} for name in ("n1", "n2")))
    with serving(api) as made:
        yield made


def health(*silent: str) -> Callable[[Asked], Reply | None]:
    """Answers for kube-proxy, but not on some nodes."""

    def answer(asked: Asked) -> Reply | None:
        if not asked.path.endswith(":10256/proxy/healthz"):
            return None
        is_silent = any(f"/{node}:" in asked.path for node in silent)
        return status(503, REFUSED, "ServiceUnavailable") if is_silent else Reply(200, b"{}")

    return answer


def told(served: Served, folder: Path) -> list[tuple[str, str]]:
    found = access(str(served.config(folder)), "")
    assert found is not None
    causes = diagnose_live([Kubernetes(found, About())], "lab", Settings()).causes
    return [(one.rule, one.subject.name) for one in causes]


def test_the_node_without_kube_proxy_is_named(served: Served, tmp_path: Path) -> None:
    served.api.special.append(health("n2"))
    assert told(served, tmp_path) == [("kubernetes.kube_proxy_down", "n2")]


@pytest.mark.parametrize("silent", [(), ("n1", "n2")])
def test_all_or_nobody_is_no_fault(served: Served, tmp_path: Path, silent: tuple[str, ...]) -> None:
    served.api.special.append(health(*silent))
    assert told(served, tmp_path) == []
