from sickbay.model.azure import InstanceStatus, InstanceView, ScaleSetInstance
from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


def is_bad(state: str | None) -> bool:
    return (state or "").casefold().startswith(("failed", "provisioningstate/failed"))


def failed_status(view: InstanceView | None) -> InstanceStatus | None:
    return next((status for status in (view and view.statuses) or () if is_bad(status.code)), None)


@each(ScaleSetInstance, SYMPTOM)
def instance_is_failed(machine: ScaleSetInstance, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    failed = failed_status(machine.instance_view)
    if failed is None and not is_bad(machine.provisioning_state):
        return None
    code = failed.code if failed else machine.provisioning_state
    return Match(
        f"{machine.name or machine.ref.name} is in state {code}",
        facts={
            "node_resource_group": machine.ref.group,
            "scale_set": arm(machine.ref.parent).name,
            "instance": machine.ref.name,
        },
        cites=(
            machine.cite(
                "properties.instanceView.statuses" if failed else "properties.provisioningState",
                code,
            ),
        ),
        at=(failed and failed.time) or "",
    )


RULE = Rule(
    title="A virtual machine behind a node failed (OS provisioning timed out, VM agent silent, redeployment failed)",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        instance_is_failed,
        Signature(
            pattern=r"ProvisioningState/failed\b|\b(?:OSProvisioningTimedOut|OSProvisioningClientError|OSProvisioningInternalError|VMAgentStatusCommunicationError|VMStartTimedOut|VMRedeploymentFailed|ProvisioningTimeout)\b|has not reported status for VM agent|VM status blob not found|Failed to report vm agent status|OS Provisioning for VM '[^']{1,120}' did not finish",
            says="a virtual machine could not be provisioned",
            sample="OSProvisioningTimedOut: OS Provisioning for VM 'aks-np1-31_4' did not finish in the allotted time.",
            near_miss="OS Provisioning for VM 'aks-np1-31_4' finished in the allotted time",
            weight=SYMPTOM,
            unless=r"(?i)auto-?repair|NodeRedeployError",
        ),
    ),
    why="A scale-set instance or VM that keeps a failed provisioning state blocks the next operation on its pool, whether or not the node in it still works. OSProvisioningTimedOut and OSProvisioningClientError say that the operating system of the image did not report its boot as done in time; VMAgentStatusCommunicationError that the agent in it, which runs the extensions, is not heard.",
    remedy=(
        Step(
            "Read the status of the instance and of its extensions.",
            run=(
                "az",
                "vmss",
                "get-instance-view",
                "-g",
                "{node_resource_group}",
                "-n",
                "{scale_set}",
                "--instance-id",
                "{instance}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Push the model to the instance again; this clears a state that has no cause any more.",
            run=(
                "az",
                "vmss",
                "update-instances",
                "-g",
                "{node_resource_group}",
                "-n",
                "{scale_set}",
                "--instance-ids",
                "{instance}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az vmss list-instances -g {node_resource_group} -n {scale_set} --query [].provisioningState wants only Succeeded",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/availability-performance/cluster-node-virtual-machine-failed-state",
    ),
    leads_to=("aks.pool_failed", "kubernetes.node_not_ready"),
)
