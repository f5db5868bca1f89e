from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO could not save the status of an object in the Kubernetes API (etcd)",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Failed to commit object to etcd",
            says="writing an object back failed, and not for a mere conflict",
            sample='E1115 22:34:13.657253 9357 generic_reconciler.go:300] "Failed to commit object to etcd" err="metadata.annotations: Too long: must have at most 262144 bytes" logger="cache_redis" name="r1" namespace="default"',
            near_miss='E1115 22:34:13.657253 9357 generic_reconciler.go:300] "Failed to commit object to etcd" err="Operation cannot be fulfilled on redis.cache.azure.com: the object has been modified" logger="cache_redis" name="r1" namespace="default"',
            unless=r"object has been modified",
            weight=TYPICAL,
        ),
    ),
    why="After each step ASO writes condition and annotations back to the object. A conflict with another writer is retried and harmless; a row of failures means that the API server is slow, refuses the write, or that the object is too large.",
    remedy=(
        Step(
            "See how often it happens, and whether the API server answers slowly.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "azureserviceoperator-system",
                "-l",
                "control-plane=controller-manager",
                "-c",
                "manager",
                "--tail",
                "500",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Look for another controller or pipeline that writes to the same objects all the time."
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",),
    leads_to=("aso.not_ready",),
    ask="kubectl logs -n azureserviceoperator-system -l control-plane=controller-manager -c manager --tail 500",
)
