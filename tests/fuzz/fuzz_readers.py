"""Fuzzes the whole way of a pasted text: whatever the bytes, a report that is safe to print."""

import json
from functools import cache

from sickbay.app import Settings, exit_code, explain_with
from sickbay.report.render import render
from sickbay.store import Rules, open_rules

EXITS = (0, 1, 3)


def one_input(data: bytes) -> None:
    """What must hold for any file at all."""
    diagnosis = explain_with(_rules(), data, "input", Settings())
    assert not diagnosis.crashed, f"a rule raised: {diagnosis.crashed}"
    assert exit_code(diagnosis) in EXITS, "no exit code for this"
    text = render(diagnosis, "text", colour=False)
    assert text.replace("\n", "").isprintable(), "the report can drive a terminal"
    written = render(diagnosis, "json", colour=False)
    assert json.loads(written)["schema"] == "sickbay.diagnosis/v1", "no diagnosis"
    written.encode()


def seeds() -> list[bytes]:
    """One of each form that a reader recognises."""
    return [
        b"Code: SubnetIsFull Message: Subnet nodes has no free addresses left.\n",
        b'{"id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/x/y"}\n',
        b'{"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "a"}}]}\n',
        b'[{"currentValue": 1, "limit": 2, "name": {"value": "cores"}}]\n',
        b"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nstatus: {phase: Pending}\n",
        b"applianceClusterId: x\nvsphereprovider:\n  credentials: {address: v}\n",
        b"NAME   READY   STATUS    RESTARTS   AGE\nweb-0  0/1     Pending   0     5m\n",
        b"Name:         web-0\nNamespace:    shop\nStatus:       Pending\nEvents:  <none>\n",
        b"Name    ResourceGroup    ProvisioningState\n------  -----  ------\na  b  Failed\n",
        b"$ kubectl get pods\nNo resources found\n$ az aks show -g a -n b\n{}\n",
        b"cli.azure.cli.core.sdk.policies: Request URL: 'https://management.azure.com/x'\n",
        b'2026-01-01T00:00:00Z stdout F {"level":"error","msg":"x","error":"y"}\n',
        "Code: SubnetIsFull\r\n".encode("utf-16"),
    ]


@cache
def _rules() -> Rules:
    return open_rules()
