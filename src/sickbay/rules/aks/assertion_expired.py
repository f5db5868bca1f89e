from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program signs in with an expired service account token: it does not read the renewed one (AADSTS700024)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"AADSTS(?:700024|700026)\b|(?i:client assertion is not within its valid time range)(?:.{0,300}?expiry time of assertion (?P<expired>[\w:.-]+))?",
            says="the token that was presented to Entra ID is not valid at this time",
            sample="WorkloadIdentityCredential: Microsoft Entra ID error '(invalid_client) AADSTS700024: Client assertion is not within its valid time range. Current time: 2026-12-19T16:45:40.0Z, assertion valid from 2026-12-19T12:58:00.0Z, expiry time of assertion 2026-12-19T13:58:00.0Z.",
            near_miss="WorkloadIdentityCredential: the client assertion is within its valid time range",
            weight=TYPICAL,
        ),
    ),
    why="The kubelet renews the projected token of a service account every hour. A library that keeps the first one in memory, a file that was copied, or a pipeline token that is older than its job ends in AADSTS700024 as soon as it has expired. Clocks that differ do the same, and then at once.",
    remedy=(
        Step(
            "Compare the times in the message: an assertion that expired long ago was kept, one that begins in the future comes from a wrong clock."
        ),
        Step(
            "Update the library of Azure identity, and let it read AZURE_FEDERATED_TOKEN_FILE on each request; in a pipeline ask for a new token before the late step."
        ),
        Step(
            "Restart the pod to get over it now.",
            run=("kubectl", "rollout", "restart", "deployment", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/workload-identity-overview",),
    leads_to=(
        "kubernetes.program_fails",
        "aks.keda_scaler_fails",
        "host.clock_skew",
    ),
    ask="kubectl describe pod {pod} -n {namespace}",
)
