from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Terraform's folder does not fit its state: provider, lock file, backend or plan are of another version",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.UPGRADE),
    detect=(
        Signature(
            pattern=r"(?i)Resource instance managed by newer provider version|state snapshot was created by Terraform v(?P<version>[\d.]+)|Error: (?:Saved plan is stale|Provider configuration not present|Backend initialization required|Backend configuration changed|Required plugins are not installed|Unsupported Terraform Core version|State data in .{1,20} does not have the expected)|doesn't match any of the checksums previously recorded|Error installing provider \"[\w/-]{1,60}\": Checksums did not match|original provider configuration at provider.{1,200}?is required, but it has been removed|Missing provider provider\[",
            says="what is installed here is not what the state was written with",
            sample="Error: Resource instance managed by newer provider version. The current state of azurerm_kubernetes_cluster.main was created by a newer provider version than is currently selected.",
            near_miss="Terraform has been successfully initialized!",
        ),
    ),
    why="The state, the lock file and a saved plan name the versions of Terraform and of its providers that wrote them. An older program does not read newer state, a package that was changed on the way has another checksum, a backend or provider block that was changed wants `terraform init`, and a plan is void once the state has moved on. Azure was not asked.",
    remedy=(
        Step(
            "See which versions are in use.",
            run=("terraform", "version"),
            risk=Risk.READ,
        ),
        Step(
            "Initialise anew, with the versions that the state wants.",
            run=("terraform", "init", "-upgrade"),
            risk=Risk.SAFE,
            verify="terraform plan runs",
        ),
        Step(
            "Put a provider block back that resources of the state still need; make a new plan in place of a stale one; commit the lock file for every platform in use."
        ),
    ),
    docs=(
        "https://developer.hashicorp.com/terraform/cli/commands/init",
        "https://developer.hashicorp.com/terraform/language/files/dependency-lock",
    ),
    ask="terraform providers",
)
