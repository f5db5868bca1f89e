from sickbay.model.aks import ManagedCluster, minor
from sickbay.model.governance import Feature
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

FIRST_MINOR = 28
MODES = ("", "shared", "servicenodeport")
FEATURE = "EnableSLBSharedHealthProbePreview"


@each(ManagedCluster)
def needs_are_unmet(cluster: ManagedCluster, snapshot: Snapshot) -> Match | Clear | None:
    profile = cluster.network_profile
    mode = profile.probe_mode if profile else ""
    if profile is None or mode.casefold() == "servicenodeport" or not mode:
        return None
    version = cluster.current_kubernetes_version or cluster.kubernetes_version
    number = minor(version)
    if mode.casefold() not in MODES:
        lack = f"{mode} is no mode"
    elif (profile.load_balancer_sku or "").casefold() == "basic":
        lack = "the load balancer is Basic"
    elif number is not None and number < FIRST_MINOR:
        lack = f"version {version} is older than 1.{FIRST_MINOR}"
    elif _is_unregistered(cluster, snapshot):
        lack = f"the feature {FEATURE} is not registered"
    else:
        return Clear(f"{cluster.name} has what shared probes need")
    return Match(
        f"{cluster.name} has probe mode {mode}, but {lack}",
        cites=(
            cluster.cite(
                "networkProfile.loadBalancerProfile.clusterServiceLoadBalancerHealthProbeMode", mode
            ),
        ),
    )


def _is_unregistered(cluster: ManagedCluster, snapshot: Snapshot) -> bool:
    own = cluster.ref.subscription.casefold()
    found = [
        one
        for one in snapshot.some(Feature)
        if one.ref.name == FEATURE and one.ref.subscription.casefold() == own
    ]
    return any((one.state or "").casefold() == "notregistered" for one in found)


RULE = Rule(
    title="The shared health probe of the load balancer lacks what it needs (clusterServiceLoadBalancerHealthProbeMode)",
    severity=Severity.ERROR,
    categories=(
        Category.CONNECTIVITY,
        Category.CREATION,
    ),
    detect=(
        needs_are_unmet,
        Signature(
            pattern=r"(?i)(?:cluster-?service-?load-?balancer-?health-?probe-?mode|SharedHealthProbe|shared (?:health )?probe mode)\b.{0,160}?(?:invalid|not supported|not allowed|unsupported|not a valid|must be|requires|not registered|only supported)|\bhealth-probe-proxy\b.{0,120}?(?:CrashLoopBackOff|Back-off|Error)",
            says="the shared health probe cannot be used",
            sample="(BadRequest) clusterServiceLoadBalancerHealthProbeMode 'Foo' is invalid. Allowed values are ServiceNodePort and Shared",
            near_miss="clusterServiceLoadBalancerHealthProbeMode is Shared",
        ),
    ),
    why="With the mode Shared one probe asks a proxy in cloud-node-manager on each node. It needs a Standard load balancer and Kubernetes 1.28 or newer, and while in preview the feature EnableSLBSharedHealthProbePreview and a toggle that only AKS support sets; other values than Shared and ServiceNodePort do not exist.",
    remedy=(
        Step(
            "See mode, load balancer SKU and version.",
            run=(
                "az",
                "aks",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--query",
                "{mode:networkProfile.loadBalancerProfile.clusterServiceLoadBalancerHealthProbeMode,sku:networkProfile.loadBalancerSku,version:currentKubernetesVersion}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Go back to a probe for each service.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--cluster-service-load-balancer-health-probe-mode",
                "ServiceNodePort",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az network lb probe list -g {node_resource_group} --lb-name kubernetes wants the node ports of the services",
        ),
        Step(
            "Or meet the need: upgrade to 1.28, register the feature and refresh the provider.",
            run=(
                "az",
                "feature",
                "register",
                "--namespace",
                "Microsoft.ContainerService",
                "--name",
                "EnableSLBSharedHealthProbePreview",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-service-health-probe-mode-issues",
    ),
    leads_to=(
        "aks.operation_failed",
        "aks.feature_unregistered",
        "network.health_probe_fails",
    ),
)
