from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A claim cannot be made larger: its class does not allow expansion, or it would shrink",
    severity=Severity.WARNING,
    categories=(Category.STORAGE,),
    detect=(
        Signature(
            pattern=r"(?i)only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize|spec\.resources\.requests\.storage: Forbidden: field can not be less than (?:previous value|status\.capacity)|with existing snapshots .{0,400}?cannot be expanded|storageclass .{0,80}?does not (?:allow|support) (?:volume )?(?:expansion|resize)",
            says="the API server refused another size of a claim",
            sample='error: persistentvolumeclaims "data-db-0" could not be patched: persistentvolumeclaims "data-db-0" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
            near_miss="persistentvolumeclaim/data-db-0 patched",
        ),
    ),
    why="A claim grows only if its storage class has allowVolumeExpansion: true, and it never shrinks: disks and shares can be enlarged, not reduced.",
    remedy=(
        Step(
            "See whether the class allows it.",
            run=(
                "kubectl",
                "get",
                "storageclass",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow expansion in the class, then ask for the larger size again.",
            run=(
                "kubectl",
                "patch",
                "storageclass",
                "<class>",
                "-p",
                '{"allowVolumeExpansion":true}',
            ),
            verify="kubectl get pvc -n {namespace} shows the new CAPACITY",
        ),
        Step("To shrink, make a smaller claim and copy the data.", risk=Risk.DISRUPTIVE),
    ),
    docs=(
        "https://kubernetes.io/docs/concepts/storage/persistent-volumes/#expanding-persistent-volumes-claims",
        "https://learn.microsoft.com/azure/aks/azure-disk-csi",
    ),
    ask="kubectl get storageclass -o json",
    leads_to=("kubernetes.object_invalid",),
)
