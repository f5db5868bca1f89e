"""A reader to whom the API server gives a small share of its time (priority and fairness)."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.cluster.processes import wait_for
from tests.cluster.running import Cluster

_GROUP = "flowcontrol.apiserver.k8s.io/v1"
# More than fits into the buffers between the server and a client that does not read.
_BIG, _SIZE = 12, 900_000
_LISTED = "/api/v1/namespaces/{0}/configmaps"


class Share:
    """One question at a time is answered; while one is under way, others are refused."""

    def __init__(self, cluster: Cluster, account: str) -> None:
        self._cluster, self._account = cluster, account
        self.kubeconfig: Path = cluster.kubeconfig_of(account, account)
        self._token = cluster.kubectl("create", "token", account, "-n", account).strip()

    @contextmanager
    def taken(self, seconds: float = 0.0) -> Iterator[None]:
        """Take the only place, by a long list that nobody reads; until the end, or so long."""
        with self._asked(_LISTED.format(self._account)) as wire:
            assert _status(wire) == 200
            wait_for("others are refused", self._is_refused)
            end = threading.Timer(seconds, wire.close)
            if seconds:
                end.start()
            yield
            end.cancel()

    def _is_refused(self) -> bool:
        with self._asked("/api/v1/nodes?limit=1") as wire:
            return _status(wire) == 429

    @contextmanager
    def _asked(self, path: str) -> Iterator[ssl.SSLSocket]:
        """A connection on which this was asked, and nothing read yet."""
        server = urlsplit(self._cluster.layout.server)
        context = ssl.create_default_context(cafile=self._cluster.authority.certificate)
        who = f"Authorization: Bearer {self._token}"
        with socket.socket() as bare:
            bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            bare.connect((server.hostname, server.port))
            with context.wrap_socket(bare, server_hostname=server.hostname) as wire:
                wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n{who}\r\n\r\n".encode())
                yield wire


def _status(wire: ssl.SSLSocket) -> int:
    """What the head of an answer says; the place of one that has begun is taken."""
    return int(wire.recv(len("HTTP/1.1 200")).split()[1])


@contextmanager
def share_of(cluster: Cluster, account: str) -> Iterator[Share]:
    """A new account with all rights and a small share; all of it is gone afterwards."""
    cluster.kubectl("create", "namespace", account)
    cluster.kubectl("create", "serviceaccount", account, "-n", account)
    bind = ("create", "clusterrolebinding", account, "--clusterrole=cluster-admin")
    cluster.kubectl(*bind, f"--serviceaccount={account}:{account}")
    for number in range(_BIG):
        big = {"metadata": {"name": f"big-{number}"}, "data": {"all": "y" * _SIZE}}
        # To apply would keep a second copy in an annotation, and that is too long.
        cluster.create({"apiVersion": "v1", "kind": "ConfigMap", **big}, account)
    cluster.apply(_schema(account))
    try:
        yield Share(cluster, account)
    finally:
        cluster.kubectl("delete", "flowschema,prioritylevelconfiguration", account)
        cluster.kubectl("delete", "clusterrolebinding", account)
        cluster.kubectl("delete", "namespace", account)


def _schema(account: str) -> list[dict[str, Any]]:
    none = {"nominalConcurrencyShares": 0, "lendablePercent": 0, "borrowingLimitPercent": 0}
    who = {"kind": "ServiceAccount", "serviceAccount": {"name": account, "namespace": account}}
    everything = {
        "verbs": ["*"],
        "apiGroups": ["*"],
        "resources": ["*"],
        "namespaces": ["*"],
        "clusterScope": True,
    }
    return [
        {
            "apiVersion": _GROUP,
            "kind": "PriorityLevelConfiguration",
            "metadata": {"name": account},
            "spec": {"type": "Limited", "limited": {**none, "limitResponse": {"type": "Reject"}}},
        },
        {
            "apiVersion": _GROUP,
            "kind": "FlowSchema",
            "metadata": {"name": account},
            "spec": {
                "priorityLevelConfiguration": {"name": account},
                "matchingPrecedence": 2,
                "rules": [{"subjects": [who], "resourceRules": [everything]}],
            },
        },
    ]
