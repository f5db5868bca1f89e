from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Git Bash turned an Azure resource id into a Windows path, so that az sends a wrong scope",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)\b[A-Z]:[/\\]{1,2}(?P<shell>[\w .()/\\-]{0,80}?(?:Git|msys\w*|cygwin\w*|MinGW\w*)(?:[/\\]{1,2}usr)?)[/\\]{1,2}(?:subscriptions|providers)[/\\]",
            says="the id begins with the folder of the shell",
            sample="Creating 'contributor' role assignment under scope 'C:/Program Files/Git/subscriptions/00000000-0000-0000-0000-000000000000'",
            near_miss="Creating 'contributor' role assignment under scope '/subscriptions/00000000-0000-0000-0000-000000000000'",
        ),
    ),
    why="The shells of Git for Windows and MSYS2 rewrite an argument that begins with one slash into a path of Windows before az sees it. `/subscriptions/...` then begins with C:/Program Files/Git, and Azure answers that the request names no subscription (`MissingSubscription`).",
    remedy=(
        Step(
            "Switch the rewriting off for the command (MSYS_NO_PATHCONV=1), or write the id with two slashes in front."
        ),
        Step(
            "Or run the command in PowerShell or WSL.",
            run=("az", "role", "assignment", "list", "--scope", "<resource-id>", "-o", "table"),
            risk=Risk.READ,
            verify="the list is printed",
        ),
    ),
    leads_to=("aso.subscription_not_found",),
    docs=("https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-tips",),
    ask="az role assignment list --scope <resource-id> --debug",
)
