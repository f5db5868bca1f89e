from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A Nexus virtual machine cannot enrol with Azure Arc: no access token or no connection",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.CONNECTIVITY,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\bERROR: Failed to (?P<what>retrieve access token|connect to Azure Arc|log in (?:to Azure )?(?:with|using) (?:the )?(?:managed )?identity)\b",
            says="the enrolment script could not {what}",
            sample="ERROR: Failed to retrieve access token",
            near_miss="INFO: Retrieved access token",
            weight=TYPICAL,
        ),
    ),
    why="The enrolment script signs in with the managed identity of the virtual machine, fetches an access token and lets azcmagent connect the machine to Azure Arc. It stops when no identity is assigned, the identity lacks the onboarding role, or the proxy of the cloud services network does not let the endpoints of Arc through.",
    remedy=(
        Step(
            "See the identity of the machine.",
            run=(
                "az",
                "networkcloud",
                "virtualmachine",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--query",
                "identity",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give the identity the role Azure Connected Machine Onboarding.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--assignee-object-id",
                "<identity-principal-id>",
                "--assignee-principal-type",
                "ServicePrincipal",
                "--role",
                "Azure Connected Machine Onboarding",
                "--scope",
                "/subscriptions/{subscription}/resourceGroups/{resource_group}",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Allow the endpoints of Arc in the egress list of the cloud services network, and set the proxy 169.254.0.11:3128 in the machine.",
            risk=Risk.SAFE,
            verify="azcmagent check --location <region> wants every endpoint reachable",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/troubleshoot-virtual-machines-arc-enroll-with-managed-identities",
    ),
)
