from sickbay.model.arc import Appliance
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Appliance)
def update_ended_in_failure(appliance: Appliance, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not appliance.failed_to_update:
        return Clear(f"the status of {appliance.name} is {appliance.status or 'not given'}")
    return Match(
        f"{appliance.name} is in status {appliance.status}",
        facts={"status": appliance.status or ""},
        cites=(appliance.cite("properties.status", appliance.status),),
    )


RULE = Rule(
    title="A change of the bridge's proxy, DNS servers or Arc gateway failed, and blocks other operations",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.CONNECTIVITY,
    ),
    detect=(
        update_ended_in_failure,
        Signature(
            pattern=r"\b(?P<status>NetworkProxyUpdateFailed|NetworkDNSUpdateFailed|ArcGatewayUpdateFailed)\b",
            says="the status is {status}",
            sample="az arcappliance show: status NetworkProxyUpdateFailed, provisioningState Succeeded",
            near_miss="az arcappliance show: status NetworkProxyUpdateComplete, provisioningState Succeeded",
        ),
    ),
    why="Proxy, DNS servers and Arc gateway are the settings of a bridge that can be changed later. When such a change fails (NetworkProxyUpdateFailed, NetworkDNSUpdateFailed, ArcGatewayUpdateFailed), the bridge accepts no other operation until the change is repeated with success.",
    remedy=(
        Step(
            "See state, status and events.",
            run=(
                "az",
                "arcappliance",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the value: a proxy that answers from both VM addresses and a no_proxy list without blanks, DNS servers that know internal and external names, a gateway that exists.",
        ),
        Step(
            "Repeat the change, here of the proxy.",
            run=(
                "az",
                "arcappliance",
                "configuration",
                "proxy",
                "update",
                "<fabric>",
                "--config-file",
                "<name>-appliance.yaml",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az arcappliance show -g {resource_group} -n {name} --query status wants Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/maintenance",
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
    leads_to=("arc.appliance_offline",),
)
