from sickbay.model.guards import APIService
from sickbay.model.snapshot import Snapshot
from sickbay.model.workloads import Deployment
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(APIService)
def serves_from_elsewhere(api: APIService, snapshot: Snapshot) -> Match | Clear | None:
    service = api.spec.service
    if api.name != "v1beta1.external.metrics.k8s.io" or service is None:
        return None
    of_add_on = [
        deployment
        for deployment in snapshot.all(Deployment, within="kube-system")
        if deployment.name == "keda-operator"
    ]
    if not of_add_on or service.namespace == "kube-system":
        return Clear(f"external metrics are served by {service.namespace}/{service.name}")
    return Match(
        f"external metrics are served by {service.namespace}/{service.name}, and the add-on runs in kube-system beside it",
        facts={"keda_namespace": service.namespace},
        cites=(api.cite("spec.service", f"{service.namespace}/{service.name}"),),
    )


RULE = Rule(
    title="A KEDA of your own serves the external metrics, so the add-on is ignored",
    severity=Severity.ERROR,
    categories=(Category.SCALING,),
    detect=(
        serves_from_elsewhere,
        Signature(
            pattern=r'(?i)(?:CustomResourceDefinition|ClusterRole\w*|APIService) "?[\w.-]*(?:keda|external\.metrics)[\w.-]*"?.{0,200}?(?:already exists|exists and cannot be imported|invalid ownership metadata)',
            says="KEDA is installed already",
            sample='Error: INSTALLATION FAILED: Unable to continue with install: CustomResourceDefinition "scaledobjects.keda.sh" in namespace "" exists and cannot be imported into the current release: invalid ownership metadata',
            near_miss='release "keda" uninstalled',
        ),
        Signature(
            pattern=r"(?i)error retrieving resource lock (?P<keda_namespace>[\w-]+)/operator\.keda\.sh.{0,200}?forbidden",
            says="a second KEDA in {keda_namespace} gets no lease",
            sample='E0520 11:51:24.868081 1 leaderelection.go:330] error retrieving resource lock default/operator.keda.sh: config maps "operator.keda.sh" is forbidden: User "system:serviceaccount:default:keda-operator" cannot get resource "config maps" in API group "" in the namespace "default"',
            near_miss="successfully acquired lease kube-system/operator.keda.sh",
        ),
    ),
    why="Only one service can be behind v1beta1.external.metrics.k8s.io. It is that of a KEDA installed by Helm in another namespace, while the add-on runs in kube-system and is not asked.",
    remedy=(
        Step(
            "See who serves it.",
            run=(
                "kubectl",
                "get",
                "apiservice",
                "v1beta1.external.metrics.k8s.io",
                "-o",
                "jsonpath={.spec.service}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Uninstall one of the two; the definitions and scaled objects stay only if Helm is told to keep them.",
            run=(
                "helm",
                "uninstall",
                "keda",
                "-n",
                "{keda_namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the service is keda-operator-metrics-apiserver in kube-system",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-kubernetes-event-driven-autoscaling-add-on",
    ),
    leads_to=(
        "arc.extension_resource_exists",
        "kubernetes.autoscaler_blind",
        "kubernetes.release_ownership",
    ),
    ask="kubectl get apiservices -o json",
)
