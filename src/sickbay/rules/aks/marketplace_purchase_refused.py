from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The marketplace offer cannot be bought with this subscription",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:VMMarketplaceInvalidInput|ResourcePurchaseValidationFailed)\b|not to be sold in market|not accepted the legal terms|payment instrument\(s\) is not supported for offer|\bMarketplacePurchaseEligibilityFailed\b|legal terms have not been accepted|\bMarketplacePurchaseFailed\b|\bOfferTypeNotSupported\w*|offer .{0,120}? (?:is not (?:available|sold)|cannot be (?:purchased|sold)) (?:in|to|for)",
            says="the purchase was refused",
            sample="The 'unknown' payment instrument(s) is not supported for offer with OfferId: 'kafka', PlanId 'standard'.",
            near_miss="The payment instrument is supported for offer with OfferId: 'kafka'",
        ),
    ),
    why="An extension from the marketplace is a purchase: its terms must be accepted, the subscription needs a payment method that billing allows for the offer, and the offer must be sold in the market of the billing account.",
    remedy=(
        Step(
            "See whether the terms are accepted.",
            run=(
                "az",
                "vm",
                "image",
                "terms",
                "show",
                "--publisher",
                "<publisher>",
                "--offer",
                "<offer>",
                "--plan",
                "<plan>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Accept the terms, or use a subscription with a payment method that the offer takes.",
            run=(
                "az",
                "vm",
                "image",
                "terms",
                "accept",
                "--publisher",
                "<publisher>",
                "--offer",
                "<offer>",
                "--plan",
                "<plan>",
            ),
            risk=Risk.SAFE,
            verify="az vm image terms show wants accepted: true",
        ),
        Step("Repeat the operation that failed."),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/extensions/troubleshoot-failed-kubernetes-deployment-offer",
    ),
    leads_to=("aks.operation_failed",),
    ask="az monitor activity-log list -g {resource_group} --status Failed --offset 7d -o json",
)
