from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Terraform configuration is not valid for its provider: an argument is unknown, missing or excluded",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)An argument named \"(?P<argument>\w+)\" is not expected here|Blocks of type \"(?P<block>\w+)\" are not expected here|Error: (?:Unsupported (?:argument|block type)|Missing required argument|Invalid combination of arguments|Conflicting configuration arguments|Insufficient \w+ blocks|Incorrect attribute value type|Inconsistent dependency lock file|Failed to query available provider packages|Invalid provider configuration|Missing Resource Instance Key|Reference to undeclared)|is a required provider property when performing a plan/apply|The argument \"(?P<missing>\w+)\" is required, but no definition was found|temporary_name_for_rotation.{0,40}?must be specified|Error: expected \S+ to be (?:one of|in the range)|\"\w+\": conflicts with \w|no available releases match the given constraints|the `?type`?'s (?:api-version|resource type) is invalid|failed to find resource type \S{1,120} api-version \S{1,40} in azure schema index|embedded schema validation failed",
            says="Terraform refuses the configuration before it asks Azure",
            sample='Error: Unsupported argument on main.tf line 12: An argument named "enable_auto_scaling" is not expected here. Did you mean "auto_scaling_enabled"?',
            near_miss="Success! The configuration is valid.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"Error: Invalid index\b",
            says="the configuration asks a list for an element that it does not have",
            sample="Error: Invalid index on outputs.tf line 46, in output omsagent_identity: azurerm_kubernetes_cluster.shop.oms_agent[0].oms_agent_identity is empty list of object",
            near_miss="Success! The index of the registry is valid.",
            weight=TYPICAL,
            # Credentials that are not there are another matter.
            unless=r"kube_(?:admin_)?config",
        ),
    ),
    why="Each major version of the provider renames and drops arguments (azurerm 4 wants `subscription_id`, and calls `enable_auto_scaling` `auto_scaling_enabled`), and some changes of the default node pool need `temporary_name_for_rotation`, under which Terraform makes a pool meanwhile. Azure was not asked.",
    remedy=(
        Step(
            "See which version of the provider is in use.",
            run=("terraform", "version"),
            risk=Risk.READ,
        ),
        Step(
            "Change the argument that the message names as the upgrade guide says, or pin the provider to the version that the code was written for, and initialise anew.",
            run=("terraform", "init", "-upgrade"),
            risk=Risk.SAFE,
            verify="terraform validate says that the configuration is valid",
        ),
    ),
    docs=("https://registry.terraform.io/providers/hashicorp/azurerm/latest/docs",),
    ask="terraform validate",
)
