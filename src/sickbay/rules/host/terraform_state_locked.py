from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The state of Terraform or Pulumi is locked by another run, or by one that broke off",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Error (?:acquiring|locking) the state(?: lock)?|state blob is already locked|\[409\] Conflict: Another update is currently in progress|the stack is currently locked by|Lock Info:.{0,300}?Operation: OperationType",
            says="another run holds the lock of the state",
            sample="Error: Error acquiring the state lock Error message: state blob is already locked Lock Info: ID: 0a1b Path: tfstate/shop.tfstate",
            near_miss="Acquiring state lock. This may take a few moments...",
        ),
    ),
    why="A run of Terraform leases the blob of its state, so that no second one writes at the same time. A run that is still going on, or one that was killed without giving the lease back, holds it. A stack of Pulumi allows one update at a time, too (`pulumi cancel` frees it).",
    remedy=(
        Step("See in the lock info who holds it since when, and wait for that run if it is alive."),
        Step(
            "If it is dead, take the lock away by its id.",
            run=("terraform", "force-unlock", "<lock-id>"),
            risk=Risk.DISRUPTIVE,
            verify="terraform plan runs",
        ),
    ),
    docs=("https://developer.hashicorp.com/terraform/language/state/locking",),
    ask="terraform plan -lock-timeout=60s",
)
