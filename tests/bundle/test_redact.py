"""No secret gets through, whatever surrounds it; what a diagnosis needs stays."""

import base64
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle import secretcommands, secrettokens
from sickbay.bundle.redact import text
from sickbay.bundle.secretkeys import COMMANDS, TOKENS

PLANTED = "Zx9Qw3rTyUiOp5"
LOGIN = base64.b64encode(f"user:{PLANTED}".encode()).decode()
KEY_88 = base64.b64encode(bytes(range(150, 214))).decode()
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
PEM = f"{BEGIN}\nMIIEpAIBAAKCAQEA7\n{END}"
POLL = "https://management.azure.com/subscriptions/x/operationresults/y?api-version=2023-01-01"

# Each holds the planted secret where `{}` stands.
FORMS = (
    "Authorization: Bearer {}",
    "Authorization: SharedKey account:{}",
    "map[Authorization:[Bearer {}]]",
    '"Authorization":["Bearer {}"]',
    "curl -H 'Authorization: Bearer {}' https://x",
    "https://a.blob.core.windows.net/c?sv=2020&sig={}&se=1",
    "https://a.blob.core.windows.net/c?sv=2020\\u0026sig={}\\u0026se=1",
    "AccountName=a;AccountKey={};EndpointSuffix=core.windows.net",
    "Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey={}",
    "Server=tcp:x;User ID=u;Password={};Encrypt=True",
    '"password": "{}"',
    '{{\\"password\\":\\"{}\\"}}',
    '{{\\\\\\"password\\\\\\":\\\\\\"{}\\\\\\"}}',
    "\npassword: {}\n",
    "  adminPassword: '{}'",
    "client_secret={}&grant_type=x",
    "--password {}",
    "['--password', '{}']",
    "--client-secret={}",
    "az login --service-principal -u app -p {} --tenant t",
    "docker login -u me -p '{}' registry.io",
    "sshpass -p {} ssh host",
    "curl -u bob:{} https://x",
    "AZURE_CLIENT_SECRET={}",
    "TLS_BOOTSTRAP_TOKEN={}",
    "\nx-api-key: {}\n",
    "apiKey={}",
    "?access_token={}&x=1",
    "\n    token: {}\n",
    '"token":"{}"',
    "\nclient-key-data: {}\n",
    "HTTPS_PROXY=http://user:{}@proxy:3128/",
    "redis://:{}@host:6379",
    "aws_secret_access_key = {}",
    "\nSet-Cookie: session={}; Path=/\n",
    "\nkind: Secret\ndata:\n  user: {}\n",
    "\nkind: Secret\nstringData:\n  user: |\n    x\n    {}\ntype: Opaque\n",
    '{{"kind":"Secret","data":{{"user":"{}"}}}}',
    '{{"apiVersion":"v1","data":{{"user":"{}"}},"kind":"Secret"}}',
    "\n- name: DB_PASSWORD\n  value: {}\n",
    '{{"name":"DB_PASSWORD","value":"{}"}}',
    "\n      DB_PASSWORD:  {}\n",
    "<password>{}</password>",
    '"adminPassword": {{ "value": "{}" }}',
    "\npassword: |\n  {}\n  x\nnext: 1\n",
    "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\\n{}\\n-----END RSA PRIVATE KEY-----",
    "New-Thing -Password (ConvertTo-SecureString '{}' -AsPlainText)",
    "your new password: {}",
)
SECRETS = st.text(
    alphabet="ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789+/",
    min_size=12,
    max_size=30,
).map(lambda secret: f"Zq7{secret}")
NOISE = st.text(max_size=30) | st.text(
    alphabet="\\\"'{}[]:=, \n-passwordtokensecret&;<>/.|", max_size=40
)


@pytest.mark.parametrize("form", FORMS)
def test_a_secret_is_removed_in_every_form(form: str) -> None:
    assert PLANTED not in text(form.format(PLANTED))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMS), SECRETS, NOISE, NOISE, st.sampled_from(" \n"))
def test_a_secret_is_removed_whatever_surrounds_it(
    form: str, secret: str, before: str, after: str, gap: str
) -> None:
    assert secret not in text(f"{before}{gap}{form.format(secret)}{gap}{after}")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FORMS), SECRETS, NOISE, NOISE)
def test_redacting_twice_changes_nothing(form: str, secret: str, before: str, after: str) -> None:
    once = text(before + form.format(secret) + after)
    assert text(once) == once


@settings(max_examples=40, deadline=None)
@given(
    st.text(alphabet="aB1!@#$%^&*()_+={}[]|:;<>,.?/~`'\\\" é", min_size=8).map(
        lambda secret: f"Zq7{secret}x9Q"
    ),
    st.sampled_from(("password", "clientSecret", "token", "secret", "AccountKey")),
    st.integers(0, 3),
)
def test_json_in_strings_of_json_stays_sound(secret: str, key: str, depth: int) -> None:
    body = json.dumps({"code": "Conflict", key: secret, "message": "kept"})
    for _ in range(depth):
        body = json.dumps(body)
    clean = text(body)
    for _ in range(depth):
        clean = json.loads(clean)
    assert json.loads(clean)["message"] == "kept"
    assert json.loads(clean)[key].startswith("«removed:")


@pytest.mark.parametrize(
    ("secret", "kept"),
    [
        ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhYmMifQ.c2lnbmF0dXJl-_x", "x {} y"),
        (LOGIN, "Authorization: Basic {}"),
        (LOGIN, '{{"auths":{{"r.io":{{"auth":"{}"}}}}}}'),
        ("AKIAIOSFODNN7EXAMPLE", "id {}"),
        ("abc8Q~ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456", "wrong secret {}"),
        (KEY_88, "storage {}"),
        ("ghp_" + "a1B2" * 9, "https://{}@github.com/x"),
        (base64.b64encode(PEM.encode()).decode(), "ca {}"),
        ("638412345678901234", POLL + "&t={}&c=MIIHpTCCBo2gAwIBAgITfwM"),
        ("MIIHpTCCBo2gAwIBAgITfwM", POLL + "&t=638412345678901234&c={}&s=x"),
        ("abcdefghijklmnopqrstuvwxyz0123", POLL + "&c=MIIHpTCCBo2gAwIBAgITfwM&s={}"),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", POLL + "\\u0026c=MIIHpTCCBo2gAwIBAgITfwM\\u0026h={}"),
    ],
)
def test_a_secret_is_told_by_its_shape(secret: str, kept: str) -> None:
    assert secret not in text(kept.format(secret))


@pytest.mark.parametrize(
    "line",
    [
        "the token has expired",
        "secret not found",
        'secrets "foo" not found',
        "password expired",
        "Password: expired",
        "The password must be at least 8 characters",
        "Error: secret: not found",
        "open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
        "failed to get token: AADSTS700016: Application with identifier 'x' was not found",
        "cannot fetch token: 400 Bad Request",
        "error acquiring token: context deadline exceeded",
        "secret reference default/pg-admin.password: default/pg-admin does not exist",
        '"Couldn\'t get secret" pod="default/x" secret="default/regcred"',
        'failed to fetch token: serviceaccounts "x" is forbidden',
        "Bearer token authentication failed",
        'WWW-Authenticate: Bearer authorization_uri="https://login.windows.net/72f988bf"',
        "image: docker.io/bitnami/sealed-secret:v0.24",
        "nginx@sha256:9b7cd58b0d9b0e0f7c6a3f5f9b7cd58b0d9b0e0f7c6a3f5f9b7cd58b0d9b0e0f",
        "thumbprint 9B7CD58B0D9B0E0F7C6A3F5F9B7CD58B0D9B0E0F",
        "uid: 3f2b1c00-1111-2222-3333-444444444444",
        'resourceVersion: "123456"',
        "/subscriptions/00000000-1111-2222-3333-444444444444/resourceGroups/rg",
        "automountServiceAccountToken: false",
        "secretName: foo",
        "existingSecret: my-redis",
        "secretKeyRef:\n  name: db\n  key: password",
        "  DB_PASSWORD:  <set to the key 'password' in secret 'db'>  Optional: false",
        "key=value:NoSchedule",
        "PWD=/root",
        "--password PASSWORD",
        "--tls-private-key-file=/etc/x.key",
        "password: $PASSWORD",
        "password: [parameters('adminPassword')]",
        '{"adminPassword": null}',
        "SharedAccessKeyName=Root",
        "https://host:8080/path@x",
        "audit: type=1701 sig=11",
        "kind: ConfigMap\ndata:\n  a: b",
        "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ user@host",
        "tokenExpirationSeconds: 3600",
    ],
)
def test_what_a_diagnosis_needs_stays(line: str) -> None:
    assert text(line) == line


def test_the_mark_says_what_was_there() -> None:
    assert text("password=abc123 user=x") == "password=«removed:password» user=x"


def test_lines_keep_their_numbers() -> None:
    clean = text(f"before\n{PEM}\nafter")
    assert clean.split("\n") == ["before", "«removed:private-key»", "", "", "after"]


def test_only_the_secret_among_objects_loses_its_data() -> None:
    clean = text(
        "kind: List\nitems:\n- apiVersion: v1\n  data:\n    a: c2VjcmV0\n  kind: Secret\n"
        "- apiVersion: v1\n  data:\n    a: setting\n  kind: ConfigMap\n"
    )
    assert "c2VjcmV0" not in clean
    assert "a: setting" in clean


def test_letters_that_grow_when_lowered_do_not_shift_the_marks() -> None:
    assert text("İİİ password=abc123 İ") == "İİİ password=«removed:password» İ"


@pytest.mark.parametrize(
    "piece",
    [
        "2026-01-02T10:00:00Z INFO reconcile namespace=default pod/nginx key: foo https://x.y/z\n",
        "token: ",
        'password="',
        "password=\\\\\\'",
        "-----BEGIN PRIVATE KEY-----«",
        "Authorization: ",
        "eyJ.",
        "://a:b@",
        "=",
        '"kind":"Secret","data":{',
        "kind: Secret\ndata:\n",
        "az login -p ",
        "curl -u ",
        "password: |\n",
        "LS0tLS1CRUdJTi",
        "+ASb",
        "password,\n\n\n",
        '{"password":',
    ],
)
def test_time_grows_with_length_and_not_faster(piece: str) -> None:
    small, large = (piece * (size // len(piece)) for size in (8_000, 64_000))
    assert _seconds(large) < 8 * 3 * _seconds(small) + 0.05


def _seconds(body: str) -> float:
    """The best of two, in time of this process alone."""
    taken = []
    for _ in range(2):
        start = time.process_time()
        text(body)
        taken.append(time.process_time() - start)
    return min(taken)


def test_every_finder_is_called_by_its_words() -> None:
    gates = {"://": "@"}
    tokens = {gates.get(word, word) for word in secrettokens.LITERALS}
    assert tokens == {*TOKENS, "@"}
    assert set(secretcommands.LITERALS) == set(COMMANDS)
