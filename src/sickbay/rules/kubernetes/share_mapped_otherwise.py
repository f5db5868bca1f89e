from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Windows node holds a mapping to the file server with another credential (error 1219)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"SmbGlobalMapping.{0,300}?Multiple connections to a server or shared resource by the same user|Windows System Error 1219",
            says="the node holds a mapping to the file server with another user name or key",
            sample="NewSmbGlobalMapping failed. output: New-SmbGlobalMapping : Multiple connections to a server or shared resource by the same user, using more than one user name, are not allowed.",
            near_miss="New-SmbGlobalMapping : Generic failure",
        ),
    ),
    why="Windows keeps one credential for each file server. After the key of the storage account was rotated, or where two secrets name the same account differently, the mapping that is left from earlier pods stands in the way of the new one.",
    remedy=(
        Step(
            "Keep new pods away from the node meanwhile.",
            run=("kubectl", "cordon", "{node}"),
            risk=Risk.DISRUPTIVE,
        ),
        Step(
            "On the node (a HostProcess pod, or SSH): see the mappings and take the old one away: Get-SmbGlobalMapping, Remove-SmbGlobalMapping -RemotePath <share>. A restart of the node has the same effect.",
            risk=Risk.DISRUPTIVE,
            verify="the pod is Running",
        ),
        Step(
            "Let all volumes of one storage account use the same user name (the account's own) and the same key."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
