from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Signature, Step, each

_NAMES = ("microsoft-defender-publisher", "azure-defender-publisher")


@each(Pod)
def keeps_restarting(pod: Pod, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    if not pod.name.startswith(_NAMES):
        return None
    for container in pod.waiting:
        if container.waiting and container.waiting.reason == "CrashLoopBackOff":
            return Match(
                f"{pod.name} has restarted {container.restart_count or 0} times",
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].state.waiting.reason",
                        container.waiting.reason,
                    ),
                ),
            )
    return Clear(f"{pod.name} runs")


RULE = Rule(
    title="The Defender sensor restarts again and again",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        keeps_restarting,
        Signature(
            pattern=r"(?:microsoft|azure)-defender-publisher[\w-]*.{0,160}?(?:CrashLoopBackOff|Back-off restarting|Error\b)|(?:CrashLoopBackOff|Back-off restarting).{0,200}?(?:microsoft|azure)-defender-publisher|Failed to register a new certificate with TLS12|AgentService\.svc/LinuxAgentTopologyRequest.{0,120}?Body length 0",
            says="the Defender publisher restarts",
            sample="kube-system   microsoft-defender-publisher-ds-4xk2p   0/1   CrashLoopBackOff   41 (2m ago)   3h",
            near_miss="kube-system   microsoft-defender-publisher-ds-4xk2p   1/1   Running   0   3h",
        ),
    ),
    why="The publisher sends what the sensor sees to the Log Analytics workspace of the Defender profile; it ends when it cannot sign in there: the workspace was deleted or its id is wrong, or the egress to it is closed.",
    remedy=(
        Step(
            "Read its log.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=microsoft-defender-publisher",
                "--tail=50",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Disable the profile, then enable it with a workspace that exists.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--disable-defender",
            ),
        ),
        Step(
            "Enable it again.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--enable-defender",
                "--defender-config",
                "<file>",
            ),
            verify="kubectl get ds -n kube-system microsoft-defender-publisher-ds wants READY equal to DESIRED",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/failure-restart-azure-defender-publisher-daemonset-pods",
    ),
    leads_to=("kubernetes.crash_loop",),
    ask="kubectl get pods -n kube-system -o json",
)
