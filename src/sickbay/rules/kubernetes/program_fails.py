from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    SYMPTOM,
    TYPICAL,
    Category,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(Pod, TYPICAL)
def ends_with_own_error(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for container, ended in pod.crashing:
        if ended.exit_code not in (None, 0, 126, 127, 137) and ended.reason not in (
            "OOMKilled",
            "StartError",
            "ContainerCannotRun",
        ):
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} ends with exit code {ended.exit_code} after each start",
                facts={"container": container.name, "code": str(ended.exit_code)},
                cites=(
                    pod.cite(
                        f"status.containerStatuses[{container.name}].lastState.terminated.exitCode",
                        ended.exit_code,
                    ),
                ),
                at=ended.finished_at or "",
            )
    return None


RULE = Rule(
    title="The program in a container ends with an error of its own",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        ends_with_own_error,
        Signature(
            pattern=r"Terminated Reason: Error Exit Code: (?P<code>1|2|3|64|78|134|139|143|255)\b",
            says="a container ended with exit code {code}",
            sample="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    139",
            near_miss="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    137",
            # That it ended, and nothing of why.
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"panic: (?:runtime error: |assignment to entry in nil map|interface conversion: |close of (?:nil|closed) channel|send on closed channel)|Observed a panic: |\[signal SIG(?:SEGV|BUS|ABRT)|Segmentation fault|core dumped|fatal error: (?:all goroutines are asleep|concurrent map|unexpected signal|stack overflow)|Fatal Python error: |A fatal error has been detected by the Java Runtime Environment|thread '[\w-]{1,60}' panicked at|System\.NullReferenceException: .{0,200}?Program\.",
            says="a program crashed by a defect of its own",
            sample="panic: runtime error: invalid memory address or nil pointer dereference",
            near_miss="recovered from a panic in handler /orders",
            weight=TYPICAL,
            common=True,
        ),
        Signature(
            pattern=r"APPLICATION FAILED TO START|Application run failed|Exception in thread \"main\"|Unhandled exception\. |UnhandledPromiseRejection|triggerUncaughtException|Uncaught (?:Type|Reference|Range|Syntax)?Error|npm ERR! code ELIFECYCLE|Worker failed to boot|BOOT FAILED|Kernel pid terminated|SparkExecutorFailed|SparkDriverFailed|Pod has terminated containers: |BeanCreationException: Error creating bean|most likely due to a circular import|ImportError: cannot import name '[^']{1,100}' from|Fatal error\. (?:System\.\w|Internal CLR error)|Detected zombie job|(?:Adopted|Task).{0,40}? (?:with no|missed) heartbeat|Failed to (?:initialize|create) CoreCLR, HRESULT: |while executing pg_controldata: exit status|External scheduler cannot be instantiated|Error initializing SparkContext",
            says="a program ended with an error that it did not handle",
            sample='Exception in thread "main" com.contoso.shop.ShopException: cart is not open',
            near_miss="Application run completed",
            weight=SYMPTOM,
        ),
        Signature(
            pattern=r"(?:[Tt]erminated|Error|exited|crashed).{0,80}?\bexit ?[cC]ode\W{1,4}(?P<ended>1|2|3|64|78|134|139|143|255)\b|exitCode\W{1,5}(?P<json>1|2|3|64|78|134|139|143|255)\b.{0,80}?reason\W{1,5}Error|(?:container|process|command) .{0,80}?exited with (?:code|status|exit code) (?P<left>1|2|3|64|78|134|139|255)\b",
            says="a container ended with an error of its program",
            sample='container "api" in pod "api-0" terminated: exitCode=1 reason=Error restartCount=45',
            near_miss='container "api" in pod "api-0" terminated: exitCode=0 reason=Completed',
            # A step of a pipeline, which runs in no container of the cluster.
            unless=r"The process '\S{1,200}' failed with exit code|Process completed with exit code|executable \S{1,80} failed with exit code|##\[error\]",
            weight=SYMPTOM,
        ),
    ),
    why="The program itself gave up: a wrong setting, a dependency that does not answer, a missing permission, or a crash (139 is a segmentation fault, 134 an abort, 143 an end on SIGTERM); its last log lines name it.",
    remedy=(
        Step(
            "Read the last lines of the run that ended.",
            run=(
                "kubectl",
                "logs",
                "{pod}",
                "-n",
                "{namespace}",
                "--all-containers",
                "--previous",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Mend the setting, dependency or program that they name.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} shows a restart count that stands still",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/pod-stuck-crashloopbackoff-mode",
        "https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",
    ),
    leads_to=("kubernetes.crash_loop",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
