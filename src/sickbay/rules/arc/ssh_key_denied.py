from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The SSH key folder of the appliance (.KVA\\.ssh) is locked or closed to this user",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)Access to the file in the SSH folder was denied|\.KVA.{0,3}\.ssh.{0,3}(?:logkey(?:\.pub)?)?\W{0,3}.{0,60}?(?:permission denied|access is denied|access denied|being used by another process|not accessible)|(?:permission denied|access is denied|access to the path).{0,80}?\.KVA.{0,3}\.ssh",
            says="the SSH keys of the appliance are not accessible",
            sample="Access to the file in the SSH folder was denied: open C:\\Users\\arc\\.KVA\\.ssh\\logkey: Access is denied.",
            near_miss="SSH key C:\\Users\\arc\\.KVA\\.ssh\\logkey loaded",
        ),
    ),
    why="The CLI keeps the keys of the appliance under $HOME\\.KVA\\.ssh. The user who runs it has no rights on that folder, or another az process holds a file in it.",
    remedy=(
        Step(
            "Give the user rights on $HOME\\.KVA\\.ssh, and end other az processes of this profile.",
        ),
        Step(
            "Repeat the command, here the collection of logs.",
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
