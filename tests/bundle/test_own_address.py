"""The address that whoever saved the evidence looked up."""

import pytest
from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.naming import Caller


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("saved.txt", "$ curl -s https://ifconfig.me\n198.51.100.7\n$ exit\n"),
        ("saved.txt", 'PS C:\\> (iwr "https://api.ipify.org").Content\r\n198.51.100.7\r\n'),
        ("saved.txt", "$ dig +short myip.opendns.com @resolver1.opendns.com\n\n198.51.100.7\n"),
        ("case/my-ip.txt", "198.51.100.7\n"),
        ("client_ip.txt", "198.51.100.7"),
    ],
)
def test_it_is_known(source: str, text: str) -> None:
    [caller] = made(text, source).snapshot.some(Caller)
    assert (caller.address, caller.who) == ("198.51.100.7", "")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("saved.txt", "198.51.100.7\n"),
        ("saved.txt", "$ curl -s https://ifconfig.me\ncurl: (28) timed out\n"),
        ("my-ip.txt", "the address is 198.51.100.7, as far as I know\n"),
    ],
)
def test_other_addresses_are_nobodys(source: str, text: str) -> None:
    assert not made(text, source).snapshot.holds(Caller.kind)
