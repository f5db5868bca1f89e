from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An operator may not set blockOwnerDeletion, because it may not update the finalizers of the owner",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.WORKLOAD),
    detect=(
        Signature(
            pattern=r"(?i)(?P<kind>[\w.-]{1,120}) \"(?P<object>[^\"]{1,253})\" is forbidden: cannot set (?:blockOwnerDeletion|an ownerRef)|cannot set blockOwnerDeletion (?:in this case|if an ownerReference)|cannot set an ownerRef on a resource you can't delete",
            says="{kind} {object} may not point to its owner like that",
            sample='secrets "db" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>',
            near_miss='secrets "db" created with an ownerReference',
        ),
    ),
    why="The admission plugin OwnerReferencesPermissionEnforcement (on by default in OpenShift and ARO) lets an account set blockOwnerDeletion only on an owner whose `finalizers` subresource it may update. A role that was made for clusters without the plugin lacks that rule.",
    remedy=(
        Step(
            "Ask what the account of the operator may do.",
            run=(
                "kubectl",
                "auth",
                "can-i",
                "update",
                "<owner-kind>/finalizers",
                "--as=system:serviceaccount:<namespace>:<account>",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Add the verb update on the subresource finalizers of the owner's kind (and delete on the kind) to the role, or upgrade the operator to a release whose role has it.",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement",
    ),
)
