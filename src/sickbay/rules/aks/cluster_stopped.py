from sickbay.model.aks import ManagedCluster
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    DECISIVE,
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


@each(ManagedCluster, TYPICAL)
def is_powered_off(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    look = f"az aks show -g {cluster.ref.group} -n {cluster.name} --query powerState.code"
    if cluster.power_state is None:
        raise UnseenError(Gap("power state", f"whether {cluster.name} runs", to_open=look))
    if not cluster.is_stopped:
        return Clear()
    cites = (cluster.cite("properties.powerState.code", "Stopped"),)
    if cluster.is_unwell:
        says = f"{cluster.name} is Stopped, and the last operation on it failed"
        return Match(says, cites=cites)
    if len(snapshot.some(ManagedCluster)) > 1:
        meant = f"whether {cluster.name} is meant to be stopped"
        raise UnseenError(Gap("power state", meant, to_open=look))
    # Stopped on purpose is no fault; only someone who wanted to use it can say that it is one.
    names = (cluster.fqdn, cluster.private_fqdn)
    return Match(
        f"{cluster.name} is Stopped",
        facts={"hosts": " ".join(name for name in names if name)},
        cites=cites,
        weight=DECISIVE,
        felt_as=("aks.api_server_unreachable", "aks.api_name_unresolved"),
    )


RULE = Rule(
    title="The cluster is stopped",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        is_powered_off,
        Signature(
            pattern=r"(?i)managed cluster is not currently running|cluster is (?:currently )?stopped|Power State\(Stopped\)|is in \(?\w+, ?Stopped\)? state|\bClusterNotRunning\b|managed cluster is not running|power ?state:? '?(?:is )?'?Stopped'?\. Please start|only allowed on a running cluster|cluster .{0,80}?is in (?:a |the )?[('\"]*stopped[)'\"]*(?: power)? state",
            says="the cluster is stopped",
            sample="(OperationNotAllowed) managed cluster is not currently running, stopping cannot be performed; The stop operation started at '2024-02-13T15:01:15Z'",
            near_miss="managed cluster is currently running in Power State(Running)",
        ),
    ),
    why="A stopped cluster has neither API server nor nodes: its name does not resolve, and operations that need them, a second stop included, are refused because it is already in that power state.",
    remedy=(
        Step(
            "See the power state.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "powerState.code",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Start the cluster.",
            run=("az", "aks", "start", "-g", "{resource_group}", "-n", "{cluster}"),
            risk=Risk.DISRUPTIVE,
            verify="az aks show -g {resource_group} -n {cluster} --query powerState.code wants Running",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/start-stop-cluster",),
    leads_to=(
        "aks.operation_failed",
        "aks.api_server_unreachable",
        "aks.api_name_unresolved",
    ),
    ask="az aks show -g {resource_group} -n {cluster} --query powerState.code",
    spreads=True,
)
