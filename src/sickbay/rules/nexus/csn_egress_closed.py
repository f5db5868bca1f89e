from sickbay.model.nexus import CloudServicesNetwork, same_word
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

# What the Arc agents and the nodes of every cluster need.
_NEEDED = ("management.azure.com", "login.microsoftonline.com", "mcr.microsoft.com")


@each(CloudServicesNetwork, TYPICAL)
def lets_too_little_out(network: CloudServicesNetwork, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    default = network.enable_default_egress_endpoints
    if default is None:
        return None
    missing = [host for host in _NEEDED if not network.lets_out(host)]
    if not same_word(str(default), "False") or not missing:
        return Clear(f"{network.name} lets out what every cluster needs")
    if network.associated_resource_ids == []:
        return None  # nobody uses it: it may be meant for machines that need little
    others = "no other" if not network.additional_egress_endpoints else "others without"
    return Match(
        f"{network.name} has its default egress endpoints off and {others} "
        + (", ".join(missing) if network.additional_egress_endpoints else ""),
        facts={"missing": ", ".join(missing)},
        cites=(network.cite("properties.enableDefaultEgressEndpoints", default),),
    )


RULE = Rule(
    title="A cloud services network does not let out what its clusters need: egress endpoints are missing",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.CREATION),
    detect=(
        lets_too_little_out,
        Signature(
            pattern=r"(?i)\b169\.254\.0\.11\b.{0,300}?\b(?:403|Forbidden)\b|\b(?:403|Forbidden)\b.{0,300}?\b169\.254\.0\.11\b(?P<missing>)",
            says="the proxy of the cloud services network answers 403",
            sample="curl: (56) CONNECT tunnel failed, response 403 from 169.254.0.11:3128",
            near_miss="* CONNECT tunnel established, response 200 from 169.254.0.11:3128",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)\bcloud ?services? ?networks?\b.{0,160}?(?:not (?:in|part of|on|listed)|missing|blocked|denied|not allowed)\b.{0,80}?(?:egress|allow ?-?list|endpoints?)|(?:not (?:in|part of|on|listed in)|missing (?:in|from)|absent from) (?:the )?(?:egress )?(?:allow ?-?list|egress endpoints?)\b.{0,120}?cloud ?services? ?network(?P<missing>)",
            says="an endpoint is not let out",
            sample="endpoint login.microsoftonline.com is not in the egress allow list of the cloud services network",
            near_miss="endpoint login.microsoftonline.com is in the egress allow list of the cloud services network",
            weight=TYPICAL,
        ),
    ),
    why="The proxy of a cloud services network passes only names in its egress list. With the default endpoints off and a needed name missing in additionalEgressEndpoints, the Arc agents and the nodes reach neither Azure nor a registry.",
    remedy=(
        Step(
            "Turn the default endpoints on.",
            run=(
                "az",
                "networkcloud",
                "cloudservicesnetwork",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--enable-default-egress-endpoints",
                "True",
            ),
            risk=Risk.SAFE,
            verify="az networkcloud cloudservicesnetwork show -g {resource_group} -n {name} wants enabledEgressEndpoints that are not empty",
        ),
        Step("Or add what is missing[ ({missing})] to additionalEgressEndpoints."),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/quickstarts-tenant-workload-prerequisites",
    ),
    leads_to=(
        "hybrid.agent_never_reported",
        "hybrid.cluster_offline",
        "hybrid.cluster_failed",
        "aks.egress_denied",
        "host.proxy_refuses",
    ),
)
