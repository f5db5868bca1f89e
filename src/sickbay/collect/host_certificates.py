"""Reads certificates: who signed one, and when the first of some expires."""

import base64
import binascii
import re
import ssl
from datetime import datetime
from typing import Final

from sickbay.errors import SickbayError

_PEM: Final = rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----"
# The same in base64, as configuration files hold it inside a string.
_PACKED: Final = rb"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t[A-Za-z0-9+/=]+"
_MOST: Final = 20


def trusting(ca_file: str) -> ssl.SSLContext:
    """Trust in the authorities of this system, and in those of a file besides."""
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except (OSError, ssl.SSLError) as error:
            problem = "give a file with certificates in PEM"
            raise SickbayError(f"{ca_file} cannot be trusted", problem) from error
    return context


def issuer_of(der: bytes | None) -> str:
    """The organisation or the name of whoever signed a certificate."""
    if not der:
        return ""
    # Slow to import, and only needed where TLS was spoken.
    from cryptography import x509  # noqa: PLC0415

    try:
        issuer = x509.load_der_x509_certificate(der).issuer
    except ValueError:
        return ""
    for kind in (x509.NameOID.COMMON_NAME, x509.NameOID.ORGANIZATION_NAME):
        names = issuer.get_attributes_for_oid(kind)
        if names:
            return str(names[0].value)
    return issuer.rfc4514_string()


def first_to_expire(data: bytes) -> datetime | None:
    """When the first certificate in a file expires, in PEM or in base64 of PEM."""
    from cryptography import x509  # noqa: PLC0415 - as above

    blocks = re.findall(_PEM, data, re.DOTALL)
    for packed in re.findall(_PACKED, data)[:_MOST]:
        try:
            unpacked = base64.b64decode(packed + b"=" * (-len(packed) % 4))
        except binascii.Error:
            continue
        blocks += re.findall(_PEM, unpacked, re.DOTALL)
    ends = []
    for block in blocks[:_MOST]:
        try:
            ends.append(x509.load_pem_x509_certificate(block).not_valid_after_utc)
        except ValueError:
            continue
    return min(ends, default=None)
