from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="ASO is registering a resource provider with the subscription and tries again afterwards",
    severity=Severity.WARNING,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"registering Resource Provider (?P<provider>[\w.]+) with subscription\. Try again later",
            says="the registration of {provider} runs",
            sample="registering Resource Provider Microsoft.Cache with subscription. Try again later",
            near_miss="Resource Provider Microsoft.Cache is registered with subscription",
        ),
    ),
    why="The subscription was not registered for the resource provider of the type. ASO starts the registration by itself, which takes some minutes, and repeats the request later.",
    remedy=(
        Step(
            "See how far the registration is.",
            run=(
                "az",
                "provider",
                "show",
                "--namespace",
                "{provider}",
                "--query",
                "registrationState",
                "-o",
                "tsv",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Register it yourself if ASO's identity may not.",
            run=(
                "az",
                "provider",
                "register",
                "--namespace",
                "{provider}",
                "--wait",
            ),
            risk=Risk.SAFE,
            verify="az provider show --namespace {provider} --query registrationState wants Registered",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-resource-manager/management/resource-providers-and-types",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=("aso.not_ready",),
    ask="az provider show --namespace {provider} --query registrationState -o tsv",
)
