from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SSH public key for the nodes is missing or not valid",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:linuxProfile\.)?ssh\.publicKeys?(?:\.|\[\d*\]\.)?keyData\b.{0,80}?(?:invalid|missing|required|empty|not valid)|(?:An )?RSA key file or key value must be supplied to SSH Key Value|Default ssh key file \S{1,200} already exists|\bInvalid(?:SSH|Ssh)\w*Key\w*\b|the (?:value of )?(?:parameter )?(?:provided )?ssh(?:-rsa)? (?:public )?key .{0,60}?(?:is (?:invalid|not valid|not supported)|not (?:a )?valid)|\bssh\.publicKeys\b.{0,60}?is required|The SSH public key .{0,80}?(?:invalid|is not supported|not in a valid format)|ssh_key\.key_data.{0,80}?(?:invalid|not valid|is not)",
            says="the SSH public key is refused",
            sample="InvalidParameter: The value of parameter linuxProfile.ssh.publicKeys.keyData is invalid. Please see https://aka.ms/aks-naming-rules for more details.",
            near_miss="SSH key files id_rsa and id_rsa.pub have been generated under ~/.ssh to allow SSH access to the VM",
            weight=TYPICAL,
            unless=r"(?i)appliance|networkcloud|nexus|hybridaks",
        ),
    ),
    why="linuxProfile.ssh takes one public key in OpenSSH form (`ssh-rsa AAAA...`), on one line. A path that does not exist on this machine, a private key, a key of another kind or one with line breaks from a variable is refused, by az or by AKS.",
    remedy=(
        Step(
            "Look at the key with ssh-keygen -l -f key.pub: it must begin with ssh-rsa, then base64 without breaks."
        ),
        Step(
            "Have az make a pair, or give the key's file.",
            run=(
                "az",
                "aks",
                "create",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--generate-ssh-keys",
            ),
            risk=Risk.SAFE,
            verify="az aks show wants provisioningState Succeeded",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/manage-ssh-node-access",),
    leads_to=("aks.request_refused",),
    ask="ssh-keygen -l -f <key>.pub",
)
