from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SSH key folder of the appliance (.KVA\\.ssh) is locked, missing or not readable",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Access to the file in the SSH folder was denied|(?:open|stat|read|load key|Identity file) .{0,120}?\.KVA.{0,3}\.ssh.{0,3}logkey\W{0,3}.{0,60}?(?:no such file|cannot find|denied|not accessible)",
            says="the SSH keys of the appliance are not accessible",
            sample="Error: open C:\\Users\\arc\\.KVA\\.ssh\\logkey: The system cannot find the file specified.",
            near_miss="SSH key C:\\Users\\arc\\.KVA\\.ssh\\logkey loaded",
        ),
    ),
    why="`az arcappliance logs` and the deployment use the key pair logkey and logkey.pub under $HOME\\.KVA\\.ssh of the machine that deployed the bridge. The folder is not accessible to this user, another CLI process holds a file, or this is another machine without the keys.",
    remedy=(
        Step(
            "Copy logkey and logkey.pub from the machine that deployed the bridge to the same folder, or give the user rights on it and end other CLI processes.",
        ),
        Step(
            "Collect again.",
            run=(
                "az",
                "arcappliance",
                "logs",
                "<fabric>",
                "--ip",
                "<appliance-vm-ip>",
                "--out-dir",
                "logs",
            ),
            risk=Risk.READ,
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
    ),
)
