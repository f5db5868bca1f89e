"""What a Log Analytics workspace holds of some clusters: questions that it answers by counting.

The workspace has an endpoint of its own, with a token of its own.
"""

from collections.abc import Iterable
from typing import Final

from sickbay.record import NamedTuple

SPAN: Final = "P1D"
_MOST: Final = 500
# Components of the control plane that write what goes wrong; the audit log is none of them.
_COMPONENTS: Final = (
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "cloud-controller-manager",
    "cluster-autoscaler",
    "guard",
    "csi-azuredisk-controller",
    "csi-azurefile-controller",
)
# A workspace has either form of the table, or neither.
_NOTHING: Final = (
    "(datatable(TimeGenerated:datetime, Category:string, Message:string, _ResourceId:string)[])"
)
_CONTROL_PLANE: Final = (
    f"union isfuzzy=true {_NOTHING}, "
    "(AKSControlPlane | project TimeGenerated, Category, Message, _ResourceId), "
    "(AzureDiagnostics | project TimeGenerated, Category, Message=column_ifexists('log_s', ''), "
    "_ResourceId) "
    "| where Category in ({components}) and _ResourceId in~ ({ids}) "
    "| where Message has_any ('error', 'failed', 'denied', 'timeout', 'refused', 'forbidden') "
    "| summarize Times=count(), Last=max(TimeGenerated) by Category, Message, _ResourceId "
    "| top {most} by Last desc"
)
_EVENTS: Final = (
    "union isfuzzy=true (datatable(TimeGenerated:datetime, KubeEventType:string, Namespace:string, "
    "Name:string, ObjectKind:string, Reason:string, Message:string, Count:real, "
    "_ResourceId:string)[]), KubeEvents "
    "| where KubeEventType == 'Warning' and _ResourceId in~ ({ids}) "
    "| summarize Times=tolong(sum(Count)), Last=max(TimeGenerated) "
    "by Namespace, Name, ObjectKind, Reason, Message, _ResourceId | top {most} by Last desc"
)
# Shares of what a node has, in steps of five minutes: one busy moment is no fault. A disk is told
# by its share already, and the kubelet wants a tenth of it to be free.
_METRICS: Final = (
    "let measured = union isfuzzy=true (datatable(TimeGenerated:datetime, Computer:string, "
    "ObjectName:string, CounterName:string, CounterValue:real, _ResourceId:string)[]), Perf "
    "| where ObjectName == 'K8SNode' and _ResourceId in~ ({ids}) "
    "| extend Measure=iff(CounterName startswith 'cpu', 'CPU', 'memory'); "
    "let whole = measured | where CounterName in ('cpuCapacityNanoCores', 'memoryCapacityBytes') "
    "| summarize Whole=max(CounterValue) by Computer, Measure; "
    "let disks = union isfuzzy=true (datatable(TimeGenerated:datetime, Computer:string, "
    "Namespace:string, Name:string, Val:real, Tags:string, _ResourceId:string)[]), InsightsMetrics "
    "| where Namespace == 'container.azm.ms/disk' and Name == 'used_percent' "
    "and _ResourceId in~ ({ids}) "
    "| where tostring(parse_json(Tags).device) !in ('overlay', 'tmpfs', 'shm') "
    "| summarize Percent=max(Val) by Computer, Measure='disk', _ResourceId, "
    "bin(TimeGenerated, 5m); "
    "measured | where CounterName in ('cpuUsageNanoCores', 'memoryWorkingSetBytes') "
    "| summarize Used=avg(CounterValue) by Computer, Measure, _ResourceId, bin(TimeGenerated, 5m) "
    "| join kind=inner whole on Computer, Measure | extend Percent=100.0 * Used / Whole "
    "| union disks | where Percent >= iff(Measure == 'disk', 90.0, 95.0) "
    "| summarize Minutes=5 * count(), Peak=toint(max(Percent)), Last=max(TimeGenerated) "
    "by Computer, Measure, _ResourceId | where Minutes >= 15 "
    "| project ObjectKind='Node', Name=Computer, Last, _ResourceId, "
    "Message=strcat('node metrics: ', Measure, ' of ', Computer, ' at ', tostring(Peak), "
    "' percent, above its limit for ', tostring(Minutes), ' minutes') | top {most} by Last desc"
)
# What the nodes and pods were when they were last heard of, in the words that events have for it.
_NODES: Final = (
    "union isfuzzy=true (datatable(TimeGenerated:datetime, Computer:string, Status:string, "
    "_ResourceId:string)[]), KubeNodeInventory | where _ResourceId in~ ({ids}) "
    "| summarize arg_max(TimeGenerated, Status) by Computer, _ResourceId "
    "| where not(Status has 'Ready') or Status has 'NotReady' "
    "| project ObjectKind='Node', Name=Computer, Last=TimeGenerated, _ResourceId, "
    "Message=strcat('Node ', Computer, ' status is now: NodeNotReady') | top {most} by Last desc"
)
_PODS: Final = (
    "union isfuzzy=true (datatable(TimeGenerated:datetime, Namespace:string, Name:string, "
    "ContainerName:string, ContainerStatus:string, ContainerStatusReason:string, "
    "ContainerLastStatus:string, _ResourceId:string)[]), KubePodInventory "
    "| where _ResourceId in~ ({ids}) | summarize arg_max(TimeGenerated, ContainerStatus, "
    "ContainerStatusReason, ContainerLastStatus) by Namespace, Name, ContainerName, _ResourceId "
    "| where ContainerStatus =~ 'waiting' and isnotempty(ContainerStatusReason) "
    "and ContainerStatusReason !in ('ContainerCreating', 'PodInitializing') "
    "| extend Ended=tostring(parse_json(ContainerLastStatus).reason) "
    "| project ObjectKind='Pod', Namespace, Name, Last=TimeGenerated, _ResourceId, "
    "Message=strcat('container ', ContainerName, ' is in ', ContainerStatusReason, "
    "iff(isnotempty(Ended), strcat(', last state: Terminated, reason: ', Ended), '')) "
    "| top {most} by Last desc"
)


class Question(NamedTuple):
    """One question to a workspace, and what its answer is called."""

    name: str
    query: str


def questions(ids: Iterable[str]) -> tuple[Question, ...]:
    """What is asked about some clusters."""
    listed = ", ".join(_quoted(id.casefold()) for id in sorted(ids))
    parts = ", ".join(map(_quoted, _COMPONENTS))
    return (
        Question("control-plane", _CONTROL_PLANE.format(ids=listed, components=parts, most=_MOST)),
        *(
            Question(name, query.format(ids=listed, most=_MOST))
            for name, query in (
                ("events", _EVENTS),
                ("metrics", _METRICS),
                ("nodes", _NODES),
                ("pods", _PODS),
            )
        ),
    )


def _quoted(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
