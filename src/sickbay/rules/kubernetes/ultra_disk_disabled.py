from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An ultra disk cannot be attached: the node pool has no ultra disk support",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"UltraSSD_LRS\W{0,2} .{0,120}?only when \W?additionalCapabilities\.ultraSSDEnabled|UltraSSD_LRS can be used only when additionalCapabilities\.ultraSSDEnabled is set",
            says="a node of a pool without ultra disk support was asked to attach an ultra disk",
            sample="InvalidParameter: StorageAccountType UltraSSD_LRS can be used only when additionalCapabilities.ultraSSDEnabled is set.",
            near_miss="UltraSSD_LRS disk attached",
        ),
    ),
    why="Ultra disks attach only to nodes of a pool that was made with ultra disk support (ultraSSDEnabled), which cannot be switched on later.",
    remedy=(
        Step(
            "Add a pool with ultra disk support, and let the pod run there.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--name",
                "<pool>",
                "--enable-ultra-ssd",
                "--zones",
                "1",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
        Step(
            "See which pools have it.",
            run=(
                "az",
                "aks",
                "nodepool",
                "list",
                "--resource-group",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "--query",
                "[].{name:name,ultra:enableUltraSsd}",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-disk-volume",
    ),
    leads_to=("kubernetes.mount_failed", "aks.parameter_invalid"),
    ask="az aks nodepool list --resource-group {resource_group} --cluster-name {cluster}",
)
