from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The subscription is not entitled to this offer: its type or a missing approval forbids it (QuotaIdRequired)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"\b(?P<code>SpecialFeatureOrQuotaIdRequired|SubscriptionNotEligible\w*|SubscriptionOfferNotAllowed|OfferTypeNotSupported|InvalidSubscriptionOffer\w*|SubscriptionNotAllowListed|SubscriptionNotWhitelisted|DisallowedQuotaId|SubscriptionNotSupported)\b|(?i:subscription does not have QuotaId)|(?i:operation is not permitted for namespace '?[\w.]+'?\. List of permitted provider namespaces)",
            says="the subscription may not use it[ ({code})]",
            sample="SpecialFeatureOrQuotaIdRequired: The subscription does not have QuotaId/Feature required by SKU 'S0' from kind 'OpenAI' or contains blocked QuotaId/Feature.",
            near_miss="The subscription has the feature required by SKU 'S0'.",
        ),
        Signature(
            pattern=r"(?i)(?:not (?:available|supported|allowed|permitted|eligible) (?:for|in|on|under|with) (?:your |this |the )?(?:free trial|trial|student|MSDN|CSP|sponsored|free|pay-as-you-go)(?: (?:account|offer|tier))? ?subscriptions?|(?:free trial|trial|student|sponsorship) subscriptions? (?:are|is|do|does|can) ?not\b)(?P<code>)",
            says="this type of subscription may not use it",
            sample="BadRequest: Azure Cache for Redis Enterprise is not available for free trial subscriptions.",
            near_miss="A free trial subscription was made.",
            weight=TYPICAL,
            unless=r"(?i)quota|region|location|cores",
        ),
    ),
    why="What a subscription may buy depends on its offer (pay-as-you-go, enterprise agreement, CSP, trial, student, sponsored): services such as Azure OpenAI, Redis Enterprise or marketplace plans check the QuotaId of the subscription, or want a registration that Microsoft approves first. Sandboxes and labs permit only a list of provider namespaces. The request itself is right; the same one succeeds in a subscription of another type.",
    remedy=(
        Step(
            "See the offer of the subscription.",
            run=(
                "az",
                "rest",
                "--method",
                "get",
                "--url",
                "https://management.azure.com/subscriptions/{subscription}?api-version=2022-12-01",
                "--query",
                "subscriptionPolicies",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Apply for access, upgrade the subscription to pay-as-you-go, or use another subscription (in ASO: a credential of its own, by aso-credential or credential-from).",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/cost-management-billing/manage/switch-azure-offer",
        "https://learn.microsoft.com/azure/cost-management-billing/manage/upgrade-azure-subscription",
    ),
    leads_to=("aso.invalid_value", "aso.request_refused", "aso.not_ready"),
    ask="az rest --method get --url https://management.azure.com/subscriptions/{subscription}?api-version=2022-12-01 --query subscriptionPolicies",
)
