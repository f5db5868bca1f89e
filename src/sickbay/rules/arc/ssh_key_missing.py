from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The cluster on Azure Local was requested without a valid SSH public key",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)SSH public keys should be valid and non-empty|\baksarc\b.{0,400}?An RSA key file or key value must be supplied to SSH Key Value|Missing Security Keys in Cluster Configuration",
            says="no valid SSH key was given",
            sample="ControlPlane: Global LinuxProfile SSH public keys should be valid and non-empty. ssh: no key found",
            near_miss="ControlPlane: Global LinuxProfile SSH public keys are valid",
        ),
    ),
    why="The nodes need an SSH public key. It is missing, empty or not a key (ControlPlaneConfigurationValidation: ssh: no key found).",
    remedy=(
        Step(
            "Let the CLI make a key pair, or name one.",
            run=(
                "az",
                "aksarc",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{name}",
                "--custom-location",
                "<custom-location-id>",
                "--vnet-ids",
                "<network-id>",
                "--generate-ssh-keys",
            ),
            risk=Risk.SAFE,
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/configure-ssh-keys",),
)
