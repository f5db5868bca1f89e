"""Rows that several types of the table share."""

from typing import Final

from sickbay.collect.types import How, Near, When

# What an event says of who called, and from where, is left with Azure.
_OF_EVENTS: Final = (
    "correlationId,description,eventDataId,eventName,eventTimestamp,level,operationId,"
    "operationName,properties,resourceGroupName,resourceProviderName,resourceId,status,subStatus,"
    "submissionTimestamp,category"
)


def lists_in(scope: str, provider: str, *words: str) -> tuple[Near, ...]:
    """Lists of some types of a provider, in a group or in the subscription."""
    return tuple(Near(f"{{{scope}}}/providers/{provider}/{word}") for word in words)


def below(*words: str) -> tuple[Near, ...]:
    """Lists of what belongs to the resource itself."""
    return tuple(Near(f"{{id}}/{word}") for word in words)


def registered(*providers: str) -> tuple[Near, ...]:
    return tuple(Near(f"{{subscription}}/providers/{name}", how=How.ONE) for name in providers)


def events(scope: str) -> Near:
    """The activity log of a group; Azure takes no other filter beside the time."""
    return Near(
        "{subscription}/providers/Microsoft.Insights/eventtypes/management/values",
        (
            (
                "$filter",
                f"eventTimestamp ge '{{since}}' and resourceGroupName eq '{{{scope}_name}}'",
            ),
            ("$select", _OF_EVENTS),
        ),
        kind="Microsoft.Insights/eventtypes/values",
        name=f"{{{scope}}}/activity-log",
    )


def serial_log(kind: str) -> Near:
    """What a failed machine of a type wrote to its console; the link to it lasts a minute."""
    return Near(
        "{id}/retrieveBootDiagnosticsData",
        (("sasUriExpirationTimeInMinutes", "1"),),
        how=How.SERIAL,
        when=When.UNWELL,
        kind=f"{kind} (serial log)",
        action=f"{kind}/retrieveBootDiagnosticsData/action",
    )


AROUND_GROUP: Final = (
    Near("{group}", how=How.ONE, kind="Microsoft.Resources/resourceGroups"),
    Near("{subscription}", how=How.ONE, kind="Microsoft.Resources/subscriptions"),
    *lists_in("group", "Microsoft.Authorization", "locks"),
    *lists_in("subscription", "Microsoft.Authorization", "locks"),
    *lists_in("group", "Microsoft.ResourceHealth", "availabilityStatuses"),
    events("group"),
)
OUTAGES: Final = Near(
    "{subscription}/providers/Microsoft.ResourceHealth/events",
    (("$filter", "Properties/EventType eq 'ServiceIssue' and Properties/Status eq 'Active'"),),
)
_POLICIES: Final = "{subscription}/providers/Microsoft.Authorization/policy"
# Policies are asked about only where something failed: most of them are about something else.
POLICIES: Final = (
    Near(f"{_POLICIES}Assignments", when=When.UNWELL),
    Near(f"{_POLICIES}Exemptions", when=When.UNWELL),
    Near(
        "{subscription}/providers/Microsoft.PolicyInsights/policyStates/latest/queryResults",
        (
            (
                "$filter",
                "complianceState eq 'NonCompliant' and policyDefinitionAction eq 'deny'",
            ),
            ("$top", "1000"),
        ),
        how=How.QUERY,
        when=When.UNWELL,
        kind="Microsoft.PolicyInsights/policyStates",
        action="Microsoft.PolicyInsights/policyStates/queryResults/action",
        scope="{subscription}",
    ),
)
