"""The door to cryptography: an authority of one's own, and the certificate of the local server."""

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from sickbay.errors import SickbayError
from sickbay.record import NamedTuple

_DAYS: Final = 30
_NAMES: Final = ("localhost", "login.microsoftonline.com", "management.azure.com")
Key = ec.EllipticCurvePrivateKey


class Certificates(NamedTuple):
    """Where they lie: whom clients must trust, and what the server shows."""

    ca: Path
    certificate: Path
    key: Path


def certificates(folder: Path) -> Certificates:
    """Those of a folder; they are made anew, as they are worth nothing outside this machine."""
    found = Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(found)
    except OSError as error:
        raise SickbayError(f"cannot write to {folder}", error.strerror or str(error)) from None
    return found


def _write(to: Certificates) -> None:
    authority, own = (
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP256R1()),
    )
    issuer = _name("Sickbay Lab CA")
    usage = x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
    ca = (
        _begun(issuer, issuer, authority)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(_identifier(authority), critical=False)
        .sign(authority, hashes.SHA256())
    )
    names: list[x509.GeneralName] = [x509.DNSName(name) for name in _NAMES]
    names.append(x509.IPAddress(ipaddress.ip_address("127.0.0.1")))
    names.append(x509.IPAddress(ipaddress.ip_address("::1")))
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key())
    server = (
        _begun(_name("localhost"), issuer, own)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_identifier(own), critical=False)
        .add_extension(above, critical=False)
        .sign(authority, hashes.SHA256())
    )
    to.ca.write_bytes(ca.public_bytes(serialization.Encoding.PEM))
    to.certificate.write_bytes(server.public_bytes(serialization.Encoding.PEM))
    to.key.touch(mode=0o600)
    to.key.write_bytes(
        own.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def _begun(subject: x509.Name, issuer: x509.Name, key: Key) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=_DAYS))
    )


def _identifier(key: Key) -> x509.SubjectKeyIdentifier:
    return x509.SubjectKeyIdentifier.from_public_key(key.public_key())


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])
