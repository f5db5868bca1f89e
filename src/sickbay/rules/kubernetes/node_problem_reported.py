from sickbay.model.kubernetes import Node
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

# Conditions of the node problem detector that are False on a healthy node; pressure and runtime have rules of their own.
PROBLEMS = frozenset(
    {
        "KernelDeadlock",
        "ReadonlyFilesystem",
        "FilesystemCorruptionProblem",
        "FrequentKubeletRestart",
        "FrequentContainerdRestart",
        "FrequentDockerRestart",
        "FrequentUnregisterNetDevice",
        "KubeletProblem",
    }
)


@each(Node)
def has_reported_problem(node: Node, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    found = [c for c in node.status.conditions or () if c.type in PROBLEMS and c.is_true]
    if not found:
        return Clear(f"the problem detector of {node.name} reports nothing")
    return Match(
        f"{node.name} reports {', '.join(sorted(c.type for c in found))}: {found[0].message or 'no details'}",
        facts={"problem": found[0].type},
        cites=(node.cite(f"status.conditions[{found[0].type}].status", "True"),),
        at=found[0].last_transition_time or "",
    )


RULE = Rule(
    title="A node reports a problem of its kernel, file system or system services",
    severity=Severity.ERROR,
    categories=(Category.NODES,),
    detect=(
        has_reported_problem,
        Signature(
            pattern=r"\b(?P<problem>KernelDeadlock|ReadonlyFilesystem|FilesystemCorruptionProblem|FrequentKubeletRestart|FrequentContainerdRestart|FrequentUnregisterNetDevice|KubeletProblem|ContainerRuntimeProblem) (?:True |is now: True)|kubelet healthcheck failed with:|EXT4-fs error|failed to write checkpoint file \S{1,120} open /var/lib/kubelet\S{1,200} read-only file ?system|Remounting filesystem read-only|blocked for more than \d+ seconds",
            says="the kernel or the file system of a node is in trouble",
            sample="ReadonlyFilesystem True Mon, 12 Jan 2026 10:11:12 +0000 Mon, 12 Jan 2026 10:12:00 +0000 FilesystemIsReadOnly Filesystem is read-only",
            near_miss="ReadonlyFilesystem False Mon, 12 Jan 2026 10:11:12 +0000 Mon, 12 Jan 2026 10:12:00 +0000 FilesystemIsNotReadOnly Filesystem is not read-only",
        ),
        Signature(
            pattern=r"soft lockup - CPU#\d+|Watchdog detected hard LOCKUP|rcu: INFO: rcu_\w+ (?:self-)?detected (?:expedited )?stalls?|(?:blk_update_request: |print_req_error: )?I/O error, dev \w+, sector|Buffer I/O error on dev|unregister_netdevice: waiting for \S+ to become free",
            says="the kernel of a node reports a lock-up, a stall or input/output errors",
            sample="watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]",
            near_miss="watchdog: enabled on all CPUs",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The node problem detector watches kernel log and services; a condition that is True (deadlock, read-only or corrupt file system, a kubelet or containerd that restarts again and again) means that this node will not heal by itself.",
    remedy=(
        Step("Keep new pods away from the node.", run=("kubectl", "cordon", "{node}")),
        Step(
            "Empty it, then reimage its instance.",
            run=(
                "az",
                "vmss",
                "reimage",
                "--resource-group",
                "{node_resource_group}",
                "--name",
                "<scale-set>",
                "--instance-ids",
                "<id>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl describe node {node} shows the condition False",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/node-problem-detector",),
    leads_to=("kubernetes.node_not_ready",),
)
