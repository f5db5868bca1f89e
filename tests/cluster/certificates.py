"""The authorities, certificates and kubeconfigs of a test cluster."""

import datetime
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Subject:
    """Whom a certificate is for: a user and its group, or a server with its names."""

    name: str
    group: str = ""
    hosts: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()

    @property
    def distinguished(self) -> x509.Name:
        parts = [x509.NameAttribute(NameOID.COMMON_NAME, self.name)]
        groups = [group for group in (self.group, *self.groups) if group]
        parts += [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
        return x509.Name(parts)


class Authority:
    """Signs certificates, and keeps all as files in one folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        folder.mkdir(parents=True, exist_ok=True)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._subject = Subject(f"{name}-ca")
        builder = self._builder(self._subject, self._key.public_key(), 365 * _DAY)
        constraint = x509.BasicConstraints(ca=True, path_length=None)
        self._sign(builder.add_extension(constraint, critical=True), name)
        _write_key(folder / f"{name}.key", self._key)

    @property
    def certificate(self) -> Path:
        return self.folder / f"{self.name}.crt"

    def issue(self, file: str, subject: Subject, valid: datetime.timedelta = 30 * _DAY) -> Path:
        """Issue a certificate that lasts so long; a negative time makes one that has expired."""
        key = ec.generate_private_key(ec.SECP256R1())
        uses = [ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH]
        builder = self._builder(subject, key.public_key(), valid)
        builder = builder.add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        if subject.hosts:
            names = x509.SubjectAlternativeName([_alternative(host) for host in subject.hosts])
            builder = builder.add_extension(names, critical=False)
        self._sign(builder, file)
        _write_key(self.folder / f"{file}.key", key)
        return self.folder / f"{file}.crt"

    def _builder(
        self, subject: Subject, key: ec.EllipticCurvePublicKey, valid: datetime.timedelta
    ) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject.distinguished)
            .issuer_name(self._subject.distinguished)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(min(now, now + valid) - _DAY)
            .not_valid_after(now + valid)
        )

    def _sign(self, builder: x509.CertificateBuilder, file: str) -> None:
        signed = builder.sign(self._key, hashes.SHA256())
        data = signed.public_bytes(serialization.Encoding.PEM)
        (self.folder / f"{file}.crt").write_bytes(data)


def make_token_keys(folder: Path) -> None:
    """The pair of keys by which tokens of service accounts are signed and checked."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    _write_key(folder / "sa.key", key)
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    (folder / "sa.pub").write_bytes(public)


def write_kubeconfig(path: Path, server: str, authority: Path, user: Iterable[str]) -> Path:
    """Write a kubeconfig for a user whose credentials are lines of YAML."""
    credentials = ", ".join(user)
    path.write_text(
        "apiVersion: v1\nkind: Config\ncurrent-context: test\n"
        f"clusters: [{{name: test, cluster: {{server: '{server}', "
        f"certificate-authority: '{authority}'}}}}]\n"
        f"users: [{{name: test, user: {{{credentials}}}}}]\n"
        "contexts: [{name: test, context: {cluster: test, user: test}}]\n"
    )
    path.chmod(0o600)
    return path


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> None:
    data = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    path.touch(mode=0o600)
    path.write_bytes(data)


def _alternative(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
