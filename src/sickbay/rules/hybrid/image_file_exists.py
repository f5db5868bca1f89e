from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The disk file of a gallery image is already there, so MOC cannot make the image anew",
    severity=Severity.ERROR,
    categories=(
        Category.UPGRADE,
        Category.STORAGE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)error while trying to create a vhdx? because a file already exists|create (?:a )?(?:virtual hard ?disk|vhdx?)\b.{0,160}?(?:file already exists|0x80070050)",
            says="the file of the image exists",
            sample="error while trying to create a vhd because a file already exists",
            near_miss="created the vhd of the image",
        ),
    ),
    why="An upgrade brings the new node image into the image store of MOC. A file that an older release left under the same path, without an image that owns it, stops the creation of the virtual disk.",
    remedy=(
        Step(
            "See the path of the image.",
            run=("powershell", "-Command", "nodectl.exe storage vhd show --name <image> -o json"),
            risk=Risk.READ,
        ),
        Step(
            "See that it is owned by the system (systemowned true) on every node before it is touched.",
            run=("powershell", "-Command", "nodectl.exe admin recovery backup --path <folder>"),
            risk=Risk.SAFE,
        ),
        Step(
            "Copy the file elsewhere, remove it from that path, and run the upgrade again.",
            run=("powershell", "-Command", "Move-Item <path-of-the-vhd> <folder>"),
            risk=Risk.DISRUPTIVE,
            verify="the upgrade makes a new file of that name; otherwise put the copy back",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/known-issues-upgrade",),
    leads_to=("hybrid.upgrade_failed",),
    ask="powershell -Command nodectl.exe storage vhd list",
)
