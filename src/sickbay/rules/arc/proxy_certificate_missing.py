from sickbay.model.arc import AGENT_NAMESPACE, agents_of
from sickbay.model.ids import kube
from sickbay.model.installed import Secret
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_CERTIFICATE = kube("Secret", AGENT_NAMESPACE, "kube-aad-proxy-certificate")
_IDENTITY = kube("Secret", AGENT_NAMESPACE, "azure-identity-certificate")


@each(Pod)
def lacks_its_certificate(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if pod.namespace != AGENT_NAMESPACE or not pod.name.startswith("kube-aad-proxy"):
        return None
    if pod.is_ready or snapshot.get(_CERTIFICATE, Secret):
        return Clear(f"{pod.name} has its certificate")
    if snapshot.get(_IDENTITY, Secret) is None:
        return Clear("the identity of the whole cluster is missing, not this certificate alone")
    return Match(
        f"{pod.name} is not ready, and there is no secret {_CERTIFICATE.name}",
        cites=(pod.cite("status.phase", pod.status.phase),),
        subject=agents_of(snapshot),
    )


RULE = Rule(
    title="The certificate of kube-aad-proxy was not delivered, so its pod hangs in ContainerCreating",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.CONNECTIVITY,
    ),
    detect=(
        lacks_its_certificate,
        Signature(
            pattern=r"(?i)Unable to pull Kube aad proxy certificate|secret \"?kube-aad-proxy-certificate\"? not found",
            says="the certificate of kube-aad-proxy is missing",
            sample="Error: Unable to pull Kube aad proxy certificate. Please attempt to onboard the cluster again.",
            near_miss="Pulled Kube aad proxy certificate",
        ),
    ),
    why="kube-aad-proxy mounts the secret kube-aad-proxy-certificate, which Azure delivers after the identity of the cluster. When it did not come, the pod stays in ContainerCreating and onboarding does not finish; the resource has to be deleted and the cluster connected under another name.",
    remedy=(
        Step(
            "See whether the secret came.",
            run=(
                "kubectl",
                "get",
                "secret",
                "-n",
                "azure-arc",
                "kube-aad-proxy-certificate",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the connected cluster.",
            run=(
                "az",
                "connectedk8s",
                "delete",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
            ),
            risk=Risk.DESTRUCTIVE,
        ),
        Step(
            "Connect under another name.",
            run=(
                "az",
                "connectedk8s",
                "connect",
                "-g",
                "{resource_group}",
                "-n",
                "<other-name>",
            ),
            risk=Risk.SAFE,
            verify="az connectedk8s show -g {resource_group} -n <other-name> --query connectivityStatus wants Connected",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",),
    leads_to=(
        "arc.onboarding_timeout",
        "arc.agents_not_running",
        "arc.connection_failed",
        "kubernetes.config_missing",
    ),
    ask="kubectl get secret -n azure-arc kube-aad-proxy-certificate",
)
