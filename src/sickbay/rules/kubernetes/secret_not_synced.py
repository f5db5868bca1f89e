from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The secrets store driver mounts the objects but does not make the Kubernetes secret (secretObjects)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"\bFailedToCreateSecret\b|file matching objectName (?P<object>\S{1,200}) not found in the pod|failed to get data in spc \S{1,200} for secret|failed to create Kubernetes secret|failed to validate secret object in spc",
            says="the driver did not make the secret of a SecretProviderClass",
            sample="Warning  FailedToCreateSecret  9m (x19 over 31m)  csi-secrets-store-controller  failed to get data in spc shop/kv for secret web-tls, err: file matching objectName web-key not found in the pod",
            near_miss="Normal  SecretRotationComplete  3s  csi-secrets-store-rotation  successfully rotated K8s secret web-tls",
        ),
    ),
    why="secretObjects of a SecretProviderClass lets the driver copy mounted objects into a secret, once a pod mounts the volume. The driver has no right for that if it was installed without syncSecret, and an objectName that is not the name (or objectAlias) of a mounted object finds no file; the variable that reads the secret then has none.",
    remedy=(
        Step(
            "Compare the objectName of secretObjects with the names and aliases of the objects.",
            run=(
                "kubectl",
                "get",
                "secretproviderclass",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "See what the driver says.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=secrets-store-csi-driver",
                "-c",
                "secrets-store",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the names; for a driver that you installed yourself set syncSecret.enabled=true.",
            risk=Risk.SAFE,
            verify="kubectl get secret shows the secret while a pod runs that mounts the volume",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/csi-secrets-store-configuration-options",),
    leads_to=(
        "kubernetes.config_missing",
        "kubernetes.condition_timeout",
    ),
    ask="kubectl get secretproviderclass -n {namespace} -o yaml",
)
