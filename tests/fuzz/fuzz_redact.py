"""Fuzzes redaction: whatever stands around it, a planted secret is gone and lines stay lines."""

import json

from sickbay.bundle import redact

PLANTED = "hunter2-Zq9xK4vT7mW1"
DEEP = 400


def one_input(data: bytes) -> None:
    """What must hold for any text at all."""
    text = data.decode("utf-8", "replace")
    clean = redact.text(text)
    assert clean.count("\n") == text.count("\n"), "lines were lost"
    planted = f"{text}\n    password: {PLANTED}\n{text}"
    assert PLANTED not in redact.text(planted), "a secret was not removed"
    for document in ({"note": text, "password": PLANTED}, {text: {"clientSecret": PLANTED}}):
        assert PLANTED not in json.dumps(redact.document(document)), "a secret stayed"
    assert redact.document([text]) == [clean], "a text is cleaned in another way in a document"


def seeds() -> list[bytes]:
    """One of each form that a secret takes."""
    return [
        b"password=abcdefgh12345 token: 'x' --client-secret abcdef",
        b"Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0",
        b"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----\n",
        b"apiVersion: v1\nkind: Secret\ndata:\n  a: YWJjZGVmZ2hpamts\n",
        b'{"kind":"Secret","stringData":{"a":"value"}}',
        b"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=YWJjZGVm==;",
        b"https://a.blob.core.windows.net/c?sv=2020&sig=abc%2Fdef%3D&se=2026",
        b"az login --service-principal -u a -p hunter2hunter2 --tenant t",
        b"users:\n- name: a\n  user:\n    token: abcdefghijkl\n",
        b"Set-Cookie: session=abcdef0123456789; Path=/",
    ]
