from sickbay.model.aso_credential import SETTINGS
from sickbay.model.evidence import Gap, UnseenError
from sickbay.model.ids import kube
from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def settings_do_not_exist(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:
    if not pod.name.startswith("azureserviceoperator-controller-manager"):
        return None
    if not any(
        one.waiting and one.waiting.reason == "CreateContainerConfigError"
        for one in pod.status.container_statuses or ()
    ):
        return None
    if snapshot.find(kube("Secret", pod.namespace, SETTINGS)) is not None:
        return Clear(f"the secret {SETTINGS} exists in namespace {pod.namespace}")
    if not snapshot.has_seen("Secret", pod.namespace):
        raise UnseenError(
            Gap(
                "Secret",
                f"secret {SETTINGS}",
                to_open=f"kubectl get secret {SETTINGS} -n {pod.namespace}",
            )
        )
    return Match(
        f"the container of {pod.name} cannot be made, and namespace {pod.namespace} has no secret {SETTINGS}",
        cites=(
            pod.cite(
                "status.containerStatuses[*].state.waiting.reason", "CreateContainerConfigError"
            ),
        ),
    )


RULE = Rule(
    title="The secret aso-controller-settings is missing, so the ASO controller does not start",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.IDENTITY,
    ),
    detect=(
        settings_do_not_exist,
        Signature(
            pattern=r'secret "?aso-controller-settings"? not found|azureserviceoperator-controller-manager-\S+ \d+/\d+ CreateContainerConfigError',
            says="the operator has no settings",
            sample='Warning Failed 36s (x7 over 99s) kubelet Error: secret "aso-controller-settings" not found',
            near_miss="azureserviceoperator-controller-manager-69cbccd645-4s5wz 2/2 Running 0 7m49s",
        ),
    ),
    why="The pod of the operator takes its settings from the secret aso-controller-settings in its own namespace. Without the secret the kubelet cannot make the container (CreateContainerConfigError) and nothing is reconciled.",
    remedy=(
        Step(
            "See whether the secret exists.",
            run=(
                "kubectl",
                "get",
                "secret",
                "aso-controller-settings",
                "-n",
                "azureserviceoperator-system",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Create it, at least with AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID and AZURE_CLIENT_ID of the global credential (empty values when only namespaced credentials are used); the Helm chart makes it when createAzureOperatorSecret is true.",
            verify="kubectl get pods -n azureserviceoperator-system wants Running and all containers ready",
        ),
    ),
    docs=(
        "https://azure.github.io/azure-service-operator/guide/aso-controller-settings-options/",
        "https://azure.github.io/azure-service-operator/guide/authentication/",
    ),
    leads_to=("kubernetes.config_missing",),
    ask="kubectl get secret aso-controller-settings -n azureserviceoperator-system",
)
