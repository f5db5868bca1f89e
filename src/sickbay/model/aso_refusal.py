"""What an answer of Azure says: who was refused what and where, and by which id it is known."""

import re
from typing import Final

_REFUSED: Final = {
    "object_id": r"object id '([^']{1,80})'",
    # What is lacking on a linked resource comes after what is not lacking.
    "action": r"(?s:.*)action(?:\(s\))? '([^']{1,200})'",
    # A refused role assignment names itself; the role belongs on what it is for.
    "scope": (
        r"(?s:.*)scope(?:\(s\))? '([^'\s]{1,500}?)(?:/providers/Microsoft\.Authorization/[^']*)?'"
    ),
    "principal": r"Principal ([\w-]{8,40}) does not exist",
}
# Which built-in role holds an action; what is not listed is in Contributor.
_ROLES: Final = (
    ("microsoft.authorization/", "Role Based Access Control Administrator"),
    ("microsoft.managedidentity/userassignedidentities/assign", "Managed Identity Operator"),
    ("microsoft.network/privatednszones/", "Private DNS Zone Contributor"),
    ("microsoft.network/", "Network Contributor"),
)
_REQUEST: Final = r"(?i)(?:request|correlation|tracking|activity) ?id[:=]? ?'?([\w-]{4,80})"
_LONGEST: Final = 4_000


def refused(message: str) -> dict[str, str]:
    """Who was refused what, as Azure says it: the names that it gives, and empty ones."""
    text = message[:_LONGEST]
    found = {name: re.search(pattern, text) for name, pattern in _REFUSED.items()}
    facts = {name: match[1] if match else "" for name, match in found.items()}
    facts["role"] = role_for(facts["action"]) if facts["action"] else ""
    return facts


def role_for(action: str) -> str:
    """The narrowest built-in role that is sure to hold an action."""
    known = (role for start, role in _ROLES if action.casefold().startswith(start))
    return next(known, "Contributor")


def request_id(message: str) -> str:
    """The id by which the service knows a request, or an empty string."""
    found = re.search(_REQUEST, message)
    return found[1] if found else ""
