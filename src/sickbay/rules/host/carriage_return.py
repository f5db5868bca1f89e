from sickbay.rulekit import TYPICAL, Category, Rule, Severity, Signature, Step

RULE = Rule(
    title="A script or variable carries Windows line endings: a carriage return (%0D, ^M) spoils names and commands",
    severity=Severity.ERROR,
    categories=(Category.CREATION, Category.CONNECTIVITY),
    detect=(
        Signature(
            pattern=r"(?:https?://|/providers/Microsoft\.)[^\s\"']{1,400}%0[Dd](?:[/?&'\"\s]|$)",
            says="a name in a request ends in a carriage return (%0D)",
            sample="400 Client Error: Bad Request for url: https://management.azure.com/subscriptions/s1/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/hub/subnets/aks%0D/providers/Microsoft.Authorization/roleAssignments?api-version=2020-04-01-preview",
            near_miss="400 Client Error: Bad Request for url: https://management.azure.com/subscriptions/s1/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/hub/subnets/aks/providers/Microsoft.Authorization/roleAssignments?api-version=2020-04-01-preview",
        ),
        Signature(
            # The carriage return itself is a blank in the normal form.
            pattern=r"\$'[^' ]{0,80} ': (?:command not found|No such file)|unexpected token \W?\$'\S{0,40} ''?|\^M: bad interpreter|env: '[\w./-]{2,60} ': No such file|set: pipefail ?: invalid option name|(?:with|has) CRLF line terminators",
            says="a script has Windows line endings (CRLF)",
            sample="./deploy.sh: line 3: $'\\r': command not found",
            near_miss="./deploy.sh: line 3: $HOME is not set",
        ),
        Signature(
            pattern=r"Command arguments: \[.{0,900}?'[\w\"/.-]{3,200} '[,\]]",
            says="an argument of az ends in a blank that nobody typed",
            sample="""Command arguments: ['group', 'create', '-l', 'westus', '-n', '"shop"\\r\\r']""",
            near_miss="""Command arguments: ['group', 'create', '-l', 'westus', '-n', '"shop"']""",
            weight=TYPICAL,
        ),
    ),
    why="Windows ends a line with carriage return and line feed, Linux with a line feed alone. In a script that was saved on Windows, or in the answer of a Windows program that is called from WSL (`az` of Windows in a Linux shell), the carriage return stays at the end of the value: a name with it is another name to Azure, and a command with it does not exist.",
    remedy=(
        Step(
            "See whether the script or the value has it: `cat -A` prints `^M` at the end of such a line."
        ),
        Step(
            "Save the script with Linux line endings: `dos2unix <script>`, and `*.sh text eol=lf` in .gitattributes so that it stays so."
        ),
        Step(
            "In WSL install the Azure CLI for Linux, so that `which az` is not the one of Windows; until then cut it off: `$(az ... -o tsv | tr -d '\\r')`."
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/install-azure-cli-linux",),
    ask="file <script>",
    leads_to=("aks.request_refused", "aks.operation_failed"),
)
