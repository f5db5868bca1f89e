from sickbay.model.privatecloud import AzureLocalInstance, CloudResource, DeploymentSettings
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import SYMPTOM, Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AzureLocalInstance, SYMPTOM)
def instance_is_unwell(instance: AzureLocalInstance, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    word = instance.status if isinstance(instance.status, str) else None
    return _judge(instance, word)


@each(DeploymentSettings, SYMPTOM)
def deployment_failed(settings: DeploymentSettings, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    return _judge(settings, None)


def _judge(resource: CloudResource, word: str | None) -> Match | Clear:
    state = " and ".join(filter(None, (resource.provisioning_state, word))) or "of unknown state"
    if not resource.is_unwell:
        return Clear(f"{resource.name} is {state}")
    reason = f": {resource.reason[:200]}" if resource.reason else ""
    return Match(
        f"{resource.name} is {state}{reason}",
        cites=(resource.cite("properties.provisioningState", resource.provisioning_state),),
    )


RULE = Rule(
    title="The Azure Local instance is failed or disconnected: its deployment, validation or connection did not succeed",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(instance_is_unwell, deployment_failed),
    why="The state of the instance sums up its last operation and its heartbeat. The reported steps of the deployment settings name the step that failed; a disconnected instance has not synced with Azure for a day or more.",
    remedy=(
        Step(
            "Read the steps and their exceptions.",
            run=(
                "az",
                "stack-hci",
                "deployment-setting",
                "list",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{name}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the step that failed and resume it; for a disconnected instance, sync it from one of its nodes.",
            run=("powershell", "-Command", "Sync-AzureStackHCI"),
            risk=Risk.SAFE,
            verify="az stack-hci cluster show wants status ConnectedRecently",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-local/manage/troubleshoot-deployment",),
)
