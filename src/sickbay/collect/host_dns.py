"""Asks one DNS server, and no other, for a name; the only door to the DNS library."""

from typing import Final

from sickbay.collect.host_told import Told
from sickbay.model.probe import Result

SECONDS: Final = 3.0


async def ask(server: str, name: str, port: int = 53) -> Told:
    """What a server says of a name."""
    # Slow to import; most runs ask no server directly.
    import dns.asyncquery  # noqa: PLC0415
    import dns.exception  # noqa: PLC0415
    import dns.message  # noqa: PLC0415
    import dns.rcode  # noqa: PLC0415

    try:
        question = dns.message.make_query(name, "A")
    except dns.exception.DNSException as error:
        return Told(Result.UNKNOWN_NAME, str(error))
    try:
        answer, _over_tcp = await dns.asyncquery.udp_with_fallback(
            question, server, timeout=SECONDS, port=port
        )
    except dns.exception.Timeout:
        return Told(Result.SERVER_SILENT)
    except (OSError, ValueError) as error:
        return Told(Result.SERVER_SILENT, str(error))
    except dns.exception.DNSException as error:
        return Told(Result.SERVER_FAILED, type(error).__name__)
    found = [row.to_text() for rows in answer.answer for row in rows]
    return judged(dns.rcode.to_text(answer.rcode()), found)


def judged(code: str, found: list[str]) -> Told:
    """An answer by its code and its records."""
    if code == "NOERROR" and found:
        return Told(addresses=tuple(one for one in found if one[:1].isdigit()))
    if code in ("NXDOMAIN", "NOERROR"):
        return Told(Result.UNKNOWN_NAME, code if code == "NXDOMAIN" else "no address")
    return Told(Result.SERVER_FAILED, code)
