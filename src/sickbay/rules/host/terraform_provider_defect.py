from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Terraform provider has a defect: it crashed, or its result differs from its own plan",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"Provider produced inconsistent (?:final plan|result after apply)|Provider returned invalid result object after apply|This is a bug in the provider, which should be reported|terraform-provider-(?P<provider>[\w-]+?)_v?(?P<version>[\d.]+)\S* plugin crashed|panic: [\w.]+: '[^']{0,60}' expected type '\w+', got unconvertible type|Error: Plugin did not respond|Root (?:resource|object) was present, but now absent|Error: Unexpected Identity Change: During the",
            says="the provider did not keep to its plan[: {provider} {version}]",
            sample='Error: Provider produced inconsistent result after apply. When applying changes to azurerm_kubernetes_cluster.main, provider "registry.terraform.io/hashicorp/azurerm" produced an unexpected new value: Root object was present, but now absent.',
            near_miss='provider "registry.terraform.io/hashicorp/azurerm" produced the result of the plan after apply',
        ),
    ),
    why="Terraform compares what a provider returns with what it had planned, and stops when they differ. The cause is in the provider, not in Azure: a setting that the service fills in by itself, a resource that cannot be read yet just after it was made, or a crash. What was made up to then stays.",
    remedy=(
        Step(
            "Plan again: a second run often goes through, because the resource exists by now.",
            run=("terraform", "plan"),
            risk=Risk.READ,
        ),
        Step(
            "Where it comes back, take a newer version of the provider, and write the argument that the message names into the configuration, with the value that Azure has given it.",
            run=("terraform", "init", "-upgrade"),
            risk=Risk.SAFE,
            verify="terraform plan wants No changes",
        ),
        Step("Import a resource that was made and is not in the state, before you apply again."),
    ),
    docs=(
        "https://developer.hashicorp.com/terraform/language/modules/develop/providers",
        "https://learn.microsoft.com/azure/developer/terraform/troubleshoot",
    ),
    ask="terraform plan",
)
