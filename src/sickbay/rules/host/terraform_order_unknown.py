from sickbay.rulekit import Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="Terraform cannot order the configuration: a cycle, or a for_each or count that is known only after apply",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Error: Cycle: (?P<cycle>[\w.\[\]\"-]{3,120}), |Error: Invalid (?P<argument>for_each|count) argument|\"(?P<which>for_each|count)\" .{0,80}?depends on resource attributes that cannot be determined until apply|derived from resource attributes that cannot be determined until apply",
            says="the order is not known[: {cycle}][: {argument}][: {which}]",
            sample='Error: Invalid for_each argument. The "for_each" map includes keys derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys',
            near_miss="azurerm_role_assignment.subnet will be created for each of 3 keys (known after apply: id)",
        ),
    ),
    why="Terraform must know before it starts what there will be and in which order. Keys or counts made from ids that Azure gives out later are unknown in the plan, and resources that refer to each other in a circle (a cluster, its identity and the role on its subnet, say) have no first one. Azure was not asked.",
    remedy=(
        Step(
            "Make the keys from names that you write yourself, and keep what Azure gives out in the values; use a flag for count instead of comparing an id with null.",
        ),
        Step(
            "Break a cycle: give the cluster an identity of its own that is made before it, or put one side of the reference into a resource of its own; `terraform graph` shows the edges.",
            verify="terraform plan ends without an error",
        ),
    ),
    docs=("https://developer.hashicorp.com/terraform/language/meta-arguments/for_each",),
)
