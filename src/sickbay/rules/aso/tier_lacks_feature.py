from sickbay.model.aso_codes import OTHERS, answer_says, said
from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

_WORDS = r"(?i:(?:supported|available|allowed|enabled|permitted) \w{2,6} .{0,80}?\b(?:sku|tier|edition|plan|serverless|burstable|consumption|premium)\b|does(?:n't| not) support .{0,100}?\b(?:sku|tier|edition)\b|is using '?Basic'? tier|(?:requires?|upgrade to) (?:a |the )?'?(?:premium|standard|general ?purpose|business ?critical)|valid for the tier|\b(?:edition|tier|sku) '?[\w ]{2,30}'? does not support|(?:not|n't) .{0,80}?\b(?:basic|premium|free)'? (?:pricing )?(?:tier|namespace)\b|\bonly (?:premium|enterprise) \w+ can\b|pricing tier .{0,60}?not (?:allowed|supported|available))"

RULE = Rule(
    title="The pricing tier (SKU) of the resource does not offer the feature that the request asks for",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=said(_WORDS),
            says="the tier does not offer what the request asks for",
            sample="topic1 False Warning BadRequest SubCode=40000. Cannot operate on type Topic because the namespace 'sb-shop' is using 'Basic' tier.",
            near_miss="topic1 True Succeeded the namespace has the tier Standard",
            weight=TYPICAL,
            unless=r"(?i)not available in (?:the )?(?:location|region)|capacity|SkuNotAvailable|load ?balancer|publicIP",
        ),
        Signature(
            pattern=r"\b(?P<code>FeatureNotSupportedForSku|FeatureNotSupportedForAccount|FeatureNotSupportedInSku|FeatureSwitchNotEnabled|UnsupportedSkuFeature|ApplicationGatewayFeatureCannotBeEnabledForSelectedSku|\w*SkuNotSupported\w*|SkuFamilyNotSupported\w*|SkuFeatureNotSupported|InvalidSkuForFeature|\w+NotSupportedFor(?:Basic|Standard|Burstable|Free|Consumption|Serverless)\w*|\w+NotSupportedOnSku)\b",
            says="the tier does not offer what the request asks for ({code})",
            sample="FeatureNotSupportedForSku: The private endpoint feature is not supported for the Standard SKU registry.",
            near_miss="The private endpoint feature is used with the Premium SKU registry.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=answer_says(_WORDS),
            says="the tier does not offer what the request asks for",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: BadRequest: Reading offers is not supported for serverless accounts.",
            near_miss="performing CreateOrUpdate: the teapot was made.",
            weight=TYPICAL,
            unless=OTHERS
            + r"|(?i:not available in (?:the )?(?:location|region)|capacity|SkuNotAvailable|load ?balancer|publicIP|kubernetes|aks\b)",
            vague=True,
            passes=True,
        ),
    ),
    why="Azure services sell features by tier: topics need Service Bus Standard, private endpoints and geo-replication need a Premium registry, zone redundancy, virtual network injection, high availability, read replicas or clustering need higher tiers of Redis, PostgreSQL, MySQL or SQL, and a serverless Cosmos DB account takes no throughput. The spec combines a tier (sku) with a feature that this tier does not support, so the service refuses the whole request.",
    remedy=(
        Step(
            "Read the condition of the object: the message names the property.",
            run=("kubectl", "get", "azure", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Choose the tier in spec.sku that offers the feature, or take the feature out of the spec. Some tiers cannot be changed afterwards: then the resource must be made anew.",
            verify="kubectl get azure -n {namespace} wants READY True",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-sku-not-available",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/reconciliation-failures/",
    ),
    leads_to=(
        "aks.parameter_invalid",
        "aso.invalid_value",
        "aso.request_refused",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
    ),
    ask="kubectl get azure -n {namespace} -o yaml",
)
