from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A mounted file share went stale after its storage account key was rotated (host is down)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)failed to stat \"[^\"]{1,300}\": stat [^ ]{1,300}: host is down|stat [^ ]{1,300}/mount: host is down|mount: host is down|(?:reading directory|cannot access|cannot open directory|cannot open) .{1,200}?: Host is down",
            says="a mounted file share went stale",
            sample='Error: failed to generate container spec: failed to generate spec: failed to stat "/var/lib/kubelet/pods/1/volumes/kubernetes.io~csi/pvc-1/mount": stat /var/lib/kubelet/pods/1/volumes/kubernetes.io~csi/pvc-1/mount: host is down',
            near_miss="ping: host is down for maintenance page",
        ),
    ),
    why="The key of the storage account was rotated while the Azure file share was mounted; the node keeps the stale mount, which answers: host is down.",
    remedy=(
        Step(
            "Put the present account key into the secret that the volume uses.",
            run=(
                "kubectl",
                "create",
                "secret",
                "generic",
                "<secret>",
                "-n",
                "{namespace}",
                "--from-literal=azurestorageaccountname=<account>",
                "--from-literal=azurestorageaccountkey=<key>",
                "--dry-run=client",
                "-o",
                "yaml",
            ),
        ),
        Step(
            "Move the pods off the node, so that the share is mounted anew.",
            run=("kubectl", "drain", "{node}", "--ignore-daemonsets", "--delete-emptydir-data"),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/file-share-mount-failures-azure-files",
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl describe pod {pod} -n {namespace}",
)
