from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure Policy add-on cannot reach its service, so policies are not loaded or reported",
    severity=Severity.WARNING,
    categories=(Category.CONNECTIVITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)(?:data|store|gov-prod-policy-data)\S{0,40}\.policy\.(?:core\.windows\.net|\S{0,40}azure\S{0,20})\S{0,200}?.{0,120}?(?:EOF|timeout|refused|reset by peer|no such host|deadline exceeded|403|Forbidden)|azure-policy.{0,300}?(?:: EOF|i/o timeout|connection refused|reset by peer|no such host|deadline exceeded)",
            says="the policy add-on could not fetch or report",
            sample='Error getting file err="Get https://store.policy.core.windows.net/kubernetes/container-no-privilege/v2/template.yaml: EOF" method="github.com/Azure/azure-policy-kubernetes/pkg/dataplane/dataplaneformatter.(*PolicyFormatter).GetRegoFromURL"',
            near_miss="azure-policy retrieved https://store.policy.core.windows.net/kubernetes/container-no-privilege/v2/template.yaml",
            weight=TYPICAL,
            passes=True,
        ),
    ),
    why="The pod azure-policy fetches assignments from data.policy.core.windows.net and templates from store.policy.core.windows.net, and reports to dc.services.visualstudio.com. A firewall or proxy cuts these connections.",
    remedy=(
        Step(
            "Read its log.",
            run=("kubectl", "logs", "-n", "kube-system", "-l", "app=azure-policy", "--tail=50"),
            risk=Risk.READ,
        ),
        Step(
            "Allow the endpoints of the add-on on 443 from the node subnet.",
            verify="the log shows no further error",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",),
    leads_to=(
        "aks.policy_constraint_unprocessed",
        "network.connection_times_out",
    ),
    ask="kubectl logs -n kube-system -l app=azure-policy --tail=50",
)
