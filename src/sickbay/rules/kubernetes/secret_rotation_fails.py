from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The secrets store driver cannot renew the secrets of a pod (SecretRotationFailed)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.STORAGE),
    detect=(
        Signature(
            pattern=r"\bSecretRotationFailed\b|failed to (?:rotate objects|reconcile spc) .{0,200}?for pod|failed to patch secret (?P<secret>[\w.-]{1,200}) with new data",
            says="the driver did not renew a secret[: {secret}]",
            sample="Warning  SecretRotationFailed  21m  csi-secrets-store-rotation  failed to patch secret shop-tls with new data, err: timed out waiting for the condition",
            near_miss="Normal  SecretRotationComplete  21m  csi-secrets-store-rotation  successfully rotated K8s secret shop-tls",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="With rotation on, the driver asks the provider for every mounted object again each few minutes, writes it into the volume and patches the secrets that were made of it. The provider is refused now (its own error says by whom), the secret that holds the credential lacks the label secrets-store.csi.k8s.io/used=true (the driver then hands over an empty one: unexpected end of JSON input), or the API server or a webhook does not take the patch. What is mounted stays as it is.",
    remedy=(
        Step(
            "Read the errors of driver and provider on the node of the pod.",
            run=(
                "kubectl",
                "logs",
                "-n",
                "kube-system",
                "-l",
                "app=secrets-store-provider-azure",
                "--tail=100",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Label the secret with the credential of the provider, if there is one.",
            run=(
                "kubectl",
                "label",
                "secret",
                "<secret>",
                "-n",
                "{namespace}",
                "secrets-store.csi.k8s.io/used=true",
            ),
            risk=Risk.SAFE,
            verify="the events of the pod show SecretRotationComplete",
        ),
    ),
    docs=(
        "https://secrets-store-csi-driver.sigs.k8s.io/topics/secret-auto-rotation",
        "https://learn.microsoft.com/azure/aks/csi-secrets-store-configuration-options",
    ),
    leads_to=("kubernetes.condition_timeout",),
    ask="kubectl describe pod {pod} -n {namespace}",
    vague=True,
)
