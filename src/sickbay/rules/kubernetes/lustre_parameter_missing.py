from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Lustre volume lacks a parameter (fs-name, mgs-ip-address), so it is not made",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?:CreateVolume|NodePublishVolume|Volume) ?(?:Parameter|Context|parameters?) (?P<parameter>fs-name|mgs-ip-address|sub-dir|[\w-]+) must (?:be provided|not be empty)|(?i:azurelustre).{0,200}?(?:parameter|Parameter) (?P<other>[\w-]+) (?:must|is (?:missing|required|invalid))",
            says="the parameter {parameter} is missing",
            sample="CreateVolume Parameter fs-name must be provided",
            near_miss="CreateVolume succeeded with parameter fs-name lustrefs",
        ),
    ),
    why="The Azure Managed Lustre driver needs the address of the management server (mgs-ip-address) and the name of the file system (fs-name) in the storage class or in the attributes of the volume; sub-dir, if given, may not be empty.",
    remedy=(
        Step(
            "Read the log of the driver.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=csi-azurelustre-controller",
                "-c",
                "azurelustre",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the class or volume the missing parameter.",
            run=(
                "kubectl",
                "get",
                "storageclass",
                "-o",
                "yaml",
            ),
            verify="kubectl get pvc -n {namespace} wants STATUS Bound",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-azurelustre-csi-extension-errors",
    ),
    leads_to=(
        "kubernetes.claim_unbound",
        "kubernetes.mount_failed",
    ),
    ask="kubectl get storageclass -o json",
)
