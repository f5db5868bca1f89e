from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI or module knows no cloud of this name, or is set to another one than the resources are in",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"The cloud '(?P<cloud>[\w.-]+)' is not registered|The cloud name \S{1,60} is invalid|Unable to find environment with name '(?P<environment>[\w.-]+)'|no cloud configuration was found with name \"(?P<configured>[\w.-]+)",
            says="no cloud of this name is known[: {cloud}][: {environment}][: {configured}]",
            sample="ERROR: The cloud 'AzureGovernment' is not registered.",
            near_miss="The cloud 'AzureUSGovernment' is already active.",
        ),
        Signature(
            pattern=r"access token has been obtained for wrong audience or resource .{0,300}?(?:chinacloudapi|usgovcloudapi|azure\.cn|azure\.us)\b",
            says="the token is one for another cloud than the address",
            sample="InvalidAuthenticationTokenAudience: The access token has been obtained for wrong audience or resource 'https://management.core.windows.net/'. It should exactly match with one of the allowed audiences 'https://management.core.chinacloudapi.cn/'",
            near_miss="The access token has been obtained for audience 'https://management.core.windows.net/'.",
            weight=TYPICAL,
        ),
    ),
    why="Tools know the clouds by their own names: AzureCloud, AzureUSGovernment and AzureChinaCloud (AzurePublicCloud, AzureUSGovernmentCloud and AzureChinaCloud in Go programs). A cloud of another name, such as one of Azure Stack Hub or Azure Local disconnected operations, must be registered on each machine first; AzureGermanCloud was closed.",
    remedy=(
        Step(
            "List the clouds that are known here.",
            run=("az", "cloud", "list", "-o", "table"),
            risk=Risk.READ,
        ),
        Step(
            "Choose the one of the resources, and sign in again.",
            run=("az", "cloud", "set", "--name", "AzureCloud"),
            risk=Risk.SAFE,
            verify="az cloud show wants the cloud of your subscription",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/manage-clouds-azure-cli",),
    ask="az cloud show -o json",
)
