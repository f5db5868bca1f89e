from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI got an answer that is no JSON: from a proxy or gateway, or for an outdated extension",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)from JSON response: Expecting value|(?:knack|azext_\w+|cli/core|azure-cli|\baz \w+).{0,900}?(?:JSONDecodeError: Expecting value|Expecting value: line 1 column 1 \(char 0\))|Expecting value: line 1 column 1 \(char 0\).{0,600}?(?:knack|azext_\w+|cli/core|azure/cli)",
            says="the answer to a request of the CLI cannot be read",
            sample="Expecting value: line 1 column 1 (char 0) Traceback (most recent call last): python3.6/site-packages/knack/cli.py, ln 215, in invoke",
            near_miss="json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) in app.py",
            weight=TYPICAL,
        ),
    ),
    why="The CLI expected JSON and got an empty body or a page: a proxy answered in place of Azure (a login or block page), the endpoint of an old version of the extension is gone, or a tool that it calls (helm, kubectl) printed something else.",
    remedy=(
        Step(
            "Repeat with --debug and read the answer before the traceback.",
            run=("az", "version"),
            risk=Risk.READ,
        ),
        Step(
            "Update the CLI and its extension, and set HTTPS_PROXY and NO_PROXY so that the real endpoint answers.",
            run=("az", "upgrade"),
            verify="the command no longer ends in a JSON error",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting",),
    ask="az version",
)
