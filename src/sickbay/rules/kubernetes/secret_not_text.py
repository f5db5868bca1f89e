from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The secret of a volume holds bytes that are no text (invalid UTF-8): its values were encoded wrongly",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?:MountVolume|NodeStageVolume|NodePublishVolume|ControllerPublishVolume|AttachVolume)\b.{0,300}?(?:string field contains invalid UTF-8|contains invalid UTF-8)",
            says="what the kubelet hands to the driver is no text",
            sample='MountVolume.MountDevice failed for volume "pv-azurefile" : rpc error: code = Internal desc = grpc: error while marshaling: string field contains invalid UTF-8',
            near_miss='MountVolume.MountDevice succeeded for volume "pv-azurefile"',
        ),
    ),
    why="The kubelet passes the values of the secret (azurestorageaccountname, azurestorageaccountkey) to the CSI driver as text. In the field data each value is decoded from base64 once: a name that was written there as it is decodes to bytes that are none. The driver is never called.",
    remedy=(
        Step(
            "See the values of the secret; decode each once and see whether it reads.",
            run=("kubectl", "get", "secret", "<secret>", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Make the secret anew and let kubectl encode it (or use stringData).",
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
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/configuration/secret/",
        "https://learn.microsoft.com/azure/aks/azure-csi-files-storage-provision",
    ),
    leads_to=("kubernetes.mount_failed",),
    ask="kubectl get secrets -n {namespace}",
)
