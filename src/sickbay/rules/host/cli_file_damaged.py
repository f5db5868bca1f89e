from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A file that the Azure CLI keeps under .azure is damaged and cannot be read (JSON, ini)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:\baz login\b|Here is the traceback:?|knack|azure[/\\]cli).{0,600}?(?:Extra data: line \d+ column \d+ \(char \d+\)|Unterminated string starting at: line|Expecting property name enclosed in double quotes|MissingSectionHeaderError|File contains no section headers)|(?:Extra data: line \d+ column \d+ \(char \d+\)|Unterminated string starting at: line).{0,600}?(?:knack|azure[/\\]cli|msal_extensions)",
            says="a file of the CLI is no valid JSON",
            sample="az login The command failed with an unexpected error. Here is the traceback: Extra data: line 14 column 2 (char 1851)",
            near_miss="shop.py: json.decoder.JSONDecodeError: Extra data: line 14 column 2 (char 1851)",
            weight=TYPICAL,
        ),
    ),
    why="The CLI writes its profile, tokens, clouds and command index as files in the folder .azure of the user. Two commands that wrote at the same time (a pipeline with parallel jobs, an editor beside a shell), a full disk or a kill left one half written or with two ends, and every command that reads it stops.",
    remedy=(
        Step(
            "Take the accounts away and sign in anew: the profile and the token cache are written again.",
            run=("az", "account", "clear"),
            risk=Risk.SAFE,
            verify="az login ends with the list of subscriptions",
        ),
        Step(
            "If it comes back, rename azureProfile.json, msal_token_cache.json and commandIndex.json in that folder, and sign in again."
        ),
        Step("Give each parallel job a folder of its own by AZURE_CONFIG_DIR."),
    ),
    docs=("https://learn.microsoft.com/cli/azure/azure-cli-configuration",),
    ask="az login --debug",
)
