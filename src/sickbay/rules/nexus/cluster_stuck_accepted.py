from sickbay.model.nexus import NexusCluster, same_word
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(NexusCluster)
def stays_accepted(site: NexusCluster, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not same_word(site.provisioning_state, "Accepted"):
        return (
            Clear(f"{site.name} is {site.provisioning_state}") if site.provisioning_state else None
        )
    # While it deploys or updates, Accepted is the way it should be.
    if (site.detailed_status or "").casefold() not in {
        "running",
        "degraded",
        "failed",
        "disconnected",
    }:
        return None
    return Match(
        f"{site.name} is {site.detailed_status}, but its provisioning state is still Accepted",
        facts={"site": site.name},
        cites=(
            site.cite("properties.provisioningState", site.provisioning_state),
            site.cite("properties.detailedStatus", site.detailed_status),
        ),
    )


RULE = Rule(
    title="A Nexus cluster is stuck in provisioning state Accepted",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        stays_accepted,
        Signature(
            pattern=r"(?i)\b(?:network ?cloud|nexus|cluster)\b.{0,80}?(?:stuck|hangs?|hung|remains?|stays?|still) (?:in|at|on)? ?(?:the )?(?:provisioning ?state )?\W{0,2}Accepted\b|provisioning ?state\W{0,4}Accepted\b.{0,80}?(?:stuck|for (?:hours|days|over|more than)|\d+ (?:hours|days))|provisioning ?state\W{0,4}Accepted since\b|\bcluster\b.{0,160}?\bhydration\b.{0,60}?(?:never|not|interrupted)\b.{0,20}?(?:finish|complet|end)\w*|(?:hours?|days?|stuck|hangs?)\b.{0,40}?provisioning ?state\W{0,4}(?:is )?Accepted\b(?P<site>)",
            says="it stays Accepted",
            sample="Nexus cluster site1 is stuck in provisioningState Accepted",
            near_miss="Nexus cluster site1 is in provisioningState Succeeded",
            weight=TYPICAL,
        ),
    ),
    why="Hydration, the mirroring of what is on the site to Azure, was interrupted after the request had been accepted. The site works, but Azure refuses other operations on a resource that is not in a terminal state.",
    remedy=(
        Step(
            "Set a tag on the cluster: any update starts the mirroring again.",
            run=(
                "az",
                "resource",
                "tag",
                "--ids",
                "{subject}",
                "--tags",
                "sync=again",
                "--is-incremental",
            ),
            risk=Risk.SAFE,
            verify="az networkcloud cluster show -g {resource_group} -n {site} wants provisioningState Succeeded within five minutes",
        ),
        Step(
            "If it stays Accepted for longer than five minutes, open a support request with the correlation id of the last operation."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-accepted-cluster-hydration",
    ),
)
