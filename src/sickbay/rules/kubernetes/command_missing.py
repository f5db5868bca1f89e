from sickbay.model.kubernetes import ContainerState, Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import TYPICAL, Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def cannot_start_command(pod: Pod, snapshot: Snapshot) -> Match | None:  # noqa: ARG001
    for container, ended in pod.crashing:
        if ended.exit_code in (126, 127) or _is_refused(ended):
            return Match(
                f"container {container.name} of {pod.namespace}/{pod.name} ends with {ended.exit_code} ({ended.reason}): its command cannot be run",
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


def _is_refused(ended: ContainerState) -> bool:
    """Whether the runtime could not start the command; a mount that failed is told the same way."""
    is_start = ended.reason in ("StartError", "ContainerCannotRun")
    return is_start and "mounting" not in (ended.message or "")


RULE = Rule(
    title="The command of a container does not exist in its image or cannot be executed (exit code 127 or 126)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        cannot_start_command,
        Signature(
            pattern=r'exec: "(?P<command>[^"]{1,200})": (?:executable file not found in (?:\$PATH|%PATH%)|stat [^ ]{1,200}: no such file or directory|permission denied|is a directory)|unable to start container process: .{0,200}?(?:executable file not found|no such file or directory|permission denied)|\[FATAL tini \(\d+\)\] exec \S{1,200} failed: (?:Permission denied|No such file)|\[dumb-init\] \S{1,200}: (?:Permission denied|No such file)|exec [^ :]{1,200}: (?:no such file or directory|permission denied)|failed to generate (?:container \S{1,100} )?spec: .{0,60}?no command specified|exec user process caused:? \"?(?:no such file or directory|permission denied)',
            says="the command of a container cannot be run",
            sample='Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "carrt": executable file not found in $PATH: unknown',
            near_miss="sh: 1: open /data/input: no such file or directory",
            unless=r"Credential: |AzureCLICredential|MountVolume|[Mm]ount failed with error|probe (?:failed|errored)|OCI runtime exec failed|failed to exec in container|volume-subpaths|mount a directory onto a file|PostStartHook|PreStopHook|could not find nftables binary|failed to start shim|nvidia-container-(?:runtime|toolkit)|[Ee]rror looking for path of |exec: \"(?:blobfuse|mount\.|amlfs|modprobe)|starting setns process",
        ),
        Signature(
            # As the shell of a container says it of what a script calls.
            pattern=r"(?:^|[\s/])(?:ba|da|a|z)?sh: (?:line )?(?:\d+: )?(?P<program>[\w./-]{2,120}): (?:command not found|not found|Permission denied)$|/[\w./-]{1,120}\.sh: (?:line )?\d+: (?P<called>[\w./-]{2,120}): (?:command not found|not found|Permission denied)$|\.?/[\w./-]{2,120}: line \d+: (?:exec: )?(?P<sought>[\w./-]{2,120}): (?:command not found|not found|No such file or directory|cannot execute: required file not found)$",
            says="a script calls {program}{called}{sought}, which is not there or may not be run",
            sample="/usr/local/bin/entrypoint.sh: line 12: psql: command not found",
            near_miss="/usr/local/bin/entrypoint.sh: line 12: psql: started",
            weight=TYPICAL,
            passes=True,
            unless=r"(?i)\b(?:az|kubectl|helm|kubelogin|sudo|terraform|azcmagent|flux|argocd|cilium|istioctl|jq|oc|dnf|apt|apt-get|yum|systemctl|snap|git|brew|choco|pwsh|docker): (?:command )?not found|: /(?:var|data|mnt|srv|home)/\S{1,200}: Permission denied|/etc/|/proc/|/sys/|/dev/",
        ),
        Signature(
            pattern=r"Terminated Reason: (?:Error|StartError|ContainerCannotRun) (?:Message: .{0,300}? )?Exit Code: (?:126|127)\b",
            says="a container ended with exit code 126 or 127",
            sample="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    127",
            near_miss="Last State:     Terminated\n  Reason:       Error\n  Exit Code:    2",
        ),
    ),
    why="The entry point, or a shell script in it, names a program that the image does not have (127) or may not execute (126): a misspelled command, a missing interpreter, Windows line ends in a script, or a volume mounted over the program.",
    remedy=(
        Step(
            "Compare the command of the workload with the image.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "jsonpath={.spec.containers[*].command} {.spec.containers[*].args}",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct command and args, or build the image with the program in it and executable.",
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/pod-stuck-crashloopbackoff-mode",
    ),
    leads_to=(
        "kubernetes.crash_loop",
        "kubernetes.container_start_fails",
        "kubernetes.container_create_fails",
    ),
)
