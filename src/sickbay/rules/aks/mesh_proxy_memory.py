from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def starves_its_sidecar(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    for container in pod.statuses:
        if container.name != "istio-proxy":
            continue
        ended = container.last_termination
        if ended is None or ended.reason != "OOMKilled":
            return Clear(f"the sidecar of {pod.namespace}/{pod.name} has memory enough")
        return Match(
            f"the sidecar of {pod.namespace}/{pod.name} was killed for want of memory",
            cites=(
                pod.cite(
                    "status.containerStatuses[istio-proxy].lastState.terminated.reason",
                    ended.reason,
                ),
            ),
            at=ended.finished_at or "",
        )
    return None


RULE = Rule(
    title="The sidecar of the mesh (istio-proxy) runs out of memory: it holds the configuration of the whole cluster",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        starves_its_sidecar,
        Signature(
            pattern=r"istio-proxy.{0,160}?OOMKilled|OOMKilled.{0,160}?istio-proxy",
            says="a sidecar was killed for want of memory",
            sample="shop/cart-1 container istio-proxy last state: Terminated reason OOMKilled exit code 137",
            near_miss="shop/cart-1 container istio-proxy state: Running",
        ),
    ),
    why="Without a Sidecar resource or discoverySelectors every proxy gets the endpoints of all services of the cluster, and metrics with many labels add to it; memory grows with the cluster, not with the traffic.",
    remedy=(
        Step(
            "See the use of the sidecars.",
            run=(
                "kubectl",
                "top",
                "pod",
                "--containers",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Scope what proxies learn: a Sidecar resource for each namespace, or discoverySelectors in the mesh configuration.",
            run=(
                "kubectl",
                "apply",
                "-f",
                "sidecar.yaml",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl top pod --containers shows istio-proxy below its limit",
        ),
        Step("Or raise sidecar.istio.io/proxyMemoryLimit on the workload.", risk=Risk.DISRUPTIVE),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/istio-add-on-general-troubleshooting",
    ),
    leads_to=("kubernetes.oom_killed",),
)
