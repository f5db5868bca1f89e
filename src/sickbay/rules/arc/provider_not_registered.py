from sickbay.model.arc import CLUSTER_PROVIDERS, ConnectedCluster
from sickbay.model.azure import Provider
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_WELL = {"registered", "registering"}


@each(ConnectedCluster)
def needs_a_provider(cluster: ConnectedCluster, snapshot: Snapshot) -> Match | Clear | None:
    if not cluster.is_unwell:
        return Clear(f"{cluster.name} is {cluster.connectivity_status or 'well'}")
    known = {
        (provider.namespace or "").casefold(): provider
        for provider in snapshot.some(Provider)
        if provider.ref.subscription.casefold() in {"", cluster.ref.subscription.casefold()}
    }
    needed = [known.get(name.casefold()) for name in CLUSTER_PROVIDERS]
    for provider in needed:
        if provider and (provider.registration_state or "").casefold() not in _WELL:
            return Match(
                f"{provider.namespace} is {provider.registration_state}, and {cluster.name} needs it",
                facts={"provider": provider.namespace or "", "cluster": cluster.name},
                cites=(provider.cite("registrationState", provider.registration_state),),
            )
    if not all(needed):
        snapshot.require(Provider)
    return Clear(f"{' and '.join(CLUSTER_PROVIDERS)} are registered")


RULE = Rule(
    title="A resource provider that Arc-enabled Kubernetes needs is not registered in the subscription",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        needs_a_provider,
        Signature(
            pattern=r"(?i)(?P<provider>Microsoft\.(?:Kubernetes|KubernetesConfiguration|ExtendedLocation|HybridCompute|ResourceConnector))'? (?:resource )?provider (?:is not|has not been|not) registered",
            says="the provider {provider} is not registered",
            sample="Microsoft.Kubernetes provider is not registered. Please register it using 'az provider register -n 'Microsoft.Kubernetes' before running the connect command.",
            near_miss="Microsoft.Kubernetes provider is registered",
        ),
        Signature(
            pattern=r"\bAZK8S0408\b(?P<provider>)|(?i:Unable to check registered Resource Providers|Azure subscription is not properly configured)",
            says="a provider is not registered",
            sample="[AZK8S0408] ConnectedClusterProviderNotRegistered: see az provider list",
            near_miss="[AZK8S0402] ConnectedClusterDeleteFailed",
        ),
    ),
    why="Connecting a cluster needs Microsoft.Kubernetes, Microsoft.KubernetesConfiguration and, for custom locations, Microsoft.ExtendedLocation registered in the subscription.",
    remedy=(
        Step(
            "Register the provider; it takes some minutes.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "{provider}",
                "--wait",
            ),
            risk=Risk.SAFE,
            verify="az provider show -n {provider} --query registrationState wants Registered",
        ),
        Step(
            "Connect again.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n {cluster} --query connectivityStatus wants Connected",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/quickstart-connect-cluster",
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
    ),
    leads_to=("arc.connection_failed",),
)
