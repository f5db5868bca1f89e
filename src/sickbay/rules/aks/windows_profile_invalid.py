from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Windows profile of the cluster is missing or not valid: administrator name, password or licence",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bwindowsProfile(?:\.\w+)?\b.{0,100}?(?:is (?:invalid|required|missing|not valid)|must|cannot|not allowed|complexity)|\bWindowsProfile(?:Missing|\w*Invalid)\b|\b(?:InvalidAdminPassword|InvalidWindowsAdmin\w*|WindowsAdminPassword\w+)\b|windows.{0,40}?(?:admin ?)?(?:password|username).{0,120}?(?:complexity|length|between|must|invalid|not allowed|required)|The supplied password must be between .{0,60}?complexity|adminPassword.{0,120}?(?:complexity|length must be|is invalid|disallowed)",
            says="the Windows administrator of the request is refused",
            sample="(InvalidParameter) The value of parameter windowsProfile.adminPassword is invalid. Error details: The password length must be between 14 and 123.",
            near_miss="windowsProfile: adminUsername azureuser, licenseType None",
            weight=TYPICAL,
            unless=r"(?i)sql|postgres|mysql",
        ),
    ),
    why="A cluster that has, or will have, Windows pools carries an administrator name and a password of 14 to 123 characters with upper and lower case letters, digits and signs; some names (administrator, admin, user) and passwords are forbidden. AKS checks it, and Compute does so again for the machines.",
    remedy=(
        Step(
            "Set a password that meets the rules.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--windows-admin-password",
                "<password>",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show wants provisioningState Succeeded",
        ),
        Step(
            "For a new cluster give --windows-admin-username and --windows-admin-password (windows_profile in Terraform) from the start."
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/windows-faq",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} -o json",
)
