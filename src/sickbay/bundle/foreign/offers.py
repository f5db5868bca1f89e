"""What Azure offers and how it judges: sizes, policy states, versions.

Known, and no fault by itself: a size that nobody asked for may be restricted, and an audit is no
refusal.
"""

from typing import Any


def is_offer(value: dict[str, Any]) -> bool:
    """Whether a value is a size with its restrictions, as the list of SKUs has them."""
    return isinstance(value.get("resourceType"), str) and (
        "locations" in value or "locationInfo" in value
    )


def is_judgement(value: dict[str, Any]) -> bool:
    """Whether a value is a policy state, or the summary of some."""
    if "policyAssignmentId" in value and "resourceId" in value:
        return True
    return isinstance(value.get("results"), dict) and "policyAssignments" in value


def is_version(value: dict[str, Any]) -> bool:
    """Whether a value is what `az version` prints, or what versions a region has."""
    if "azure-cli" in value:
        return True
    values = value.get("values")
    first = values[0] if isinstance(values, list) and values else None
    return isinstance(first, dict) and "version" in first
