from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO cannot write the secret or config map that an object exports (FailedWritingAdditionalKubernetesObjects)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\bFailedWritingAdditionalKubernetesObjects\b(?:.{0,200}?cannot overwrite (?P<kind>Secret|ConfigMap) (?P<target>[\w./-]+))?|cannot overwrite (?:Secret|ConfigMap) (?P<other>[\w./-]+),? which is not owned by",
            says="ASO may not write {kind} {target}",
            sample='E1115 23:16:44.754335 9357 generic_reconciler.go:387] "Encountered error impacting Ready condition" err="Reason: FailedWritingAdditionalKubernetesObjects, Severity: Error, RetryClassification: RetrySlow, Cause: cannot overwrite Secret default/storage-keys which is not owned by StorageAccount default/sa1" logger="storage_storageaccount" name="sa1" namespace="default"',
            near_miss="wrote Secret default/storage-keys which is owned by StorageAccount default/sa1",
        ),
    ),
    why="operatorSpec names the secrets and config maps in which ASO stores keys and ids of the resource. ASO writes only objects that it owns: one of that name exists already and belongs to something else, or the write was refused.",
    remedy=(
        Step(
            "See who owns the secrets and config maps of the namespace.",
            run=(
                "kubectl",
                "get",
                "secrets,configmaps",
                "-n",
                "{namespace}",
                "-o",
                "custom-columns=KIND:.kind,NAME:.metadata.name,OWNER:.metadata.ownerReferences[*].name",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Choose another name in operatorSpec, or delete the object that stands in the way.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/secrets/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get secrets,configmaps -n {namespace}",
)
