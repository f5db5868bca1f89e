from sickbay.model.host import ManagementMachine
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


@each(ManagementMachine)
def is_wanted_and_absent(machine: ManagementMachine, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    is_wanted = machine.known(machine.wants_kubelogin, "the kubeconfig")
    if machine.known(machine.has_kubelogin, "the programs") or not is_wanted:
        return Clear("kubelogin is there, or no kubeconfig asks for it")
    return Match(
        "the kubeconfig of this machine signs in with kubelogin, which is not in PATH",
        cites=(machine.cite("hasKubelogin", machine.has_kubelogin),),
    )


RULE = Rule(
    title="kubelogin is not installed on this machine, which the kubeconfig needs to sign in",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        is_wanted_and_absent,
        Signature(
            pattern=r"(?i)executable kubelogin not found|exec: \"kubelogin\": executable file not found|kubelogin is not installed(?: which is required|, see https)|Error running kubelogin: \[Errno 2\]|spawnSync kubelogin|\[Errno 2\] No such file or directory: '(?:\S{0,120}/)?kubelogin'|kubelogin: (?:command not found|not found)|'kubelogin' is not recognized|(?:fork/)?exec:? \S{0,80}kubelogin: no such file or directory",
            says="kubelogin is not found",
            sample="Unable to connect to the server: getting credentials: exec: executable kubelogin not found",
            near_miss="Unable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin not found",
        ),
        Signature(
            # Clients in Rust do not name the plugin that they did not find.
            pattern=r"unable to run auth exec: (?:No such file or directory|program not found|The system cannot find the file)",
            says="the sign-in plugin of the kubeconfig is not found",
            sample="Failed to load namespaces: auth error: unable to run auth exec: No such file or directory (os error 2)",
            near_miss="auth error: unable to parse auth exec: EOF while parsing a value",
            weight=TYPICAL,
        ),
    ),
    why="The kubeconfig of a cluster with Entra ID signs in through the program kubelogin. Without it in PATH every kubectl call ends before it reaches the cluster.",
    remedy=(
        Step(
            "Install it.",
            run=(
                "az",
                "aks",
                "install-cli",
            ),
            risk=Risk.SAFE,
            verify="kubelogin --version answers",
        ),
        Step(
            "Convert the kubeconfig to the sign-in of the Azure CLI.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "-l",
                "azurecli",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/kubelogin-authentication",),
    leads_to=("kubernetes.kubeconfig_rejected", "arc.kubeconfig_plugin_fails"),
)
