from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The upgrade of AKS on Azure Stack HCI failed at its management cluster (kvactl upgrade)",
    severity=Severity.ERROR,
    categories=(Category.UPGRADE,),
    detect=(
        Signature(
            pattern=r"(?i)kvactl(?:\.exe)? (?:cluster )?upgrade\b.{0,800}?(?:non zero exit code|generic_non_zero) ?1\b(?: \[Error: (?P<error>[^\]]{3,160}))?",
            says="kvactl could not upgrade: {error}",
            sample='Update Failed [C:\\Program Files\\AksHci\\kvactl.exe upgrade --configfile "C:\\AksHci\\yaml\\appliance-update.yaml" --kubeconfig "C:\\AksHci\\kubeconfig-mgmt" returned a non zero exit code 1 [Error: failed to patch capi: action failed after 10 attempts: context deadline exceeded]]',
            near_miss='kvactl.exe upgrade --configfile "C:\\AksHci\\yaml\\appliance-update.yaml" returned exit code 0',
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)waiting for static pods to have a ready condition(?P<error>)",
            says="static pods of a node do not become ready",
            sample="waiting for static pods to have a ready condition",
            near_miss="static pods have a ready condition",
            weight=TYPICAL,
        ),
    ),
    why="The upgrade first renews the Cluster API parts of the management cluster. It fails when that cluster answers too slowly or not at all: its webhook hangs over a renewed certificate (failed to patch capi), its machine is out of memory, or its tokens have expired after sixty days without an upgrade.",
    remedy=(
        Step(
            "See the pods of the management cluster.",
            run=(
                "powershell",
                "-Command",
                "kubectl --kubeconfig (Get-KvaConfig).kubeconfig get pods -A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Delete the pods of the webhook and of Cluster API that hang, so that they start with the new certificate; renew expired tokens with Repair-AksHciCerts.",
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "Start the upgrade again in a new window.",
            run=("powershell", "-Command", "Update-AksHci"),
            risk=Risk.DISRUPTIVE,
            verify="Get-AksHciVersion wants the new version",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",),
    ask="powershell -Command kubectl --kubeconfig (Get-KvaConfig).kubeconfig get pods -A",
)
