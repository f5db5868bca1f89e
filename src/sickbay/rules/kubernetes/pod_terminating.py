from sickbay.rulekit import SYMPTOM, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A pod does not finish terminating, or its state is Unknown",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"\b(?P<pod>[a-z0-9][a-z0-9.-]+) \d+/\d+ (?P<state>Terminating|Unknown|NodeLost) \d+ ",
            says="pod {pod} is still {state}",
            sample="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   1/1     Terminating   0          3d",
            near_miss="NAME READY STATUS RESTARTS AGE\nweb-7d9f8b6c5-x2x4q   1/1     Running   0          3d",
            weight=SYMPTOM,
        ),
    ),
    why="A pod that was deleted is gone only when its containers have ended, its volumes are released, its finalizers are removed and the kubelet of its node has confirmed it; one of these does not happen. Unknown means that the node of the pod does not report.",
    remedy=(
        Step(
            "See node, finalizers and deletion time of the pod.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.nodeName} {.metadata.finalizers} {.metadata.deletionTimestamp}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend what holds it: the node, the volume or the controller of the finalizer.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} finds nothing",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/pods-namespaces-terminating-state",
    ),
    leads_to=("aks.drain_failed",),
)
