from sickbay.model.aso_codes import said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The request uses a kind, tier or version that Azure has retired or no longer offers",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=said(
                r"(?i:(?:has|have) been (?:retired|deprecated|discontinued)|(?:is|was|are|were) (?:retired|deprecated|discontinued)|no longer (?:supported|available|offered|allowed|permitted|accept)|end of (?:life|support)|(?:creation|deployment|provisioning) of new .{0,80}?(?:blocked|disabled|not allowed|not supported|no longer))"
            ),
            says="Azure has retired what the request asks for",
            sample="ai1 False Warning BadRequest Classic Application Insights resources have been retired. Please use workspace-based resources.",
            near_miss="ai1 True Succeeded workspace-based",
            weight=TYPICAL,
            unless=r"(?i)Kubernetes version|K8sVersion|orchestratorVersion|apiextensions|policy/v1beta1|in v1\.\d+\+|api-version",
        ),
        Signature(
            pattern=r"\b(?P<code>DeploymentModelNotSupported|ModelNotSupported|ModelDeprecated\w*|ServiceModelDeprecated\w*)\b",
            says="the model or version is not offered any more ({code})",
            sample="DeploymentModelNotSupported: The model 'Format: OpenAI, Name: gpt-35-turbo, Version: 0301' of account deployment is not supported.",
            near_miss="The model is deployed.",
            weight=TYPICAL,
        ),
    ),
    why="Azure ends services, tiers and versions on published dates (classic Application Insights, Basic public addresses and load balancers, single servers of PostgreSQL and MySQL, MariaDB, old engine versions, versions of AI models, and API versions). After that date existing resources may run on, but a request that creates or changes one is refused, whatever tool sends it.",
    remedy=(
        Step(
            "Read the retirement notice for what takes its place.",
            run=(
                "az",
                "advisor",
                "recommendation",
                "list",
                "--category",
                "HighAvailability",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Write the object anew with the successor (kind, sku, version) and move the data; keep the old object with reconcile-policy skip until then.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/advisor/advisor-workbook-service-retirement",
        "https://azure.microsoft.com/updates/",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.tier_lacks_feature",
        "aso.request_refused",
        "aso.not_ready",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
