from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="KEDA has no workload identity token: it was enabled before workload identity",
    severity=Severity.ERROR,
    categories=(
        Category.SCALING,
        Category.IDENTITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)keda.{0,600}?error reading service account token - open|keda.{0,300}?(?:AZURE_FEDERATED_TOKEN_FILE|federated token).{0,60}?(?:not (?:set|found)|missing|empty|no such file)|(?:keda|scale_?handler).{0,600}?must contain at least one TokenCredential|must contain at least one TokenCredential.{0,200}?keda|(?:no|missing) (?:token file|AZURE_FEDERATED_TOKEN_FILE).{0,200}?keda",
            says="keda-operator has no federated token",
            sample="keda-operator error: no token file specified. Check pod configuration or set TokenFilePath: AZURE_FEDERATED_TOKEN_FILE not set",
            near_miss="keda-operator AZURE_FEDERATED_TOKEN_FILE is /var/run/secrets/azure/tokens/azure-identity-token",
            weight=TYPICAL,
        ),
    ),
    why="The webhook of workload identity adds the token to pods when they start; the pods of keda-operator started before it was enabled.",
    remedy=(
        Step(
            "Restart the operator.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "deployment",
                "keda-operator",
                "-n",
                "kube-system",
            ),
            risk=Risk.DISRUPTIVE,
            verify="kubectl get pod -n kube-system -l app.kubernetes.io/name=keda-operator -o yaml shows AZURE_FEDERATED_TOKEN_FILE",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-kubernetes-event-driven-autoscaling-add-on",
    ),
    leads_to=("aks.keda_scaler_fails",),
    ask="kubectl get pod -n kube-system -l app.kubernetes.io/name=keda-operator -o yaml",
)
