from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in of the Azure CLI has expired or is refused",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?:Client Error|Server Error|[Ee]rror|refused|[Ff]ailed).{0,200}?localhost:50342/oauth2/token|port=50342\): Max retries exceeded|\bExpiredAuthenticationToken\b|^InvalidAuthenticationToken: |\bAuthenticationFailed: Authentication failed|Please run ['\"]az login['\"] to (?:setup account|access your accounts)|AADSTS(?:50034|50020|50105|700082|70043|700084|50173|50076|50079|50078|53003|50158|5300[0-3]\d|50126|50097|50005|530(?:0[0124-9]|1[01])|50057|50055|50058|50072|50074|50053|50132|50133|500571|5000224)\b|(?i:Device platform: .{0,80}?Device state: (?:Unregistered|Not? ?compliant))|(?i:your admin requires the device requesting access to be managed)|(?i:User interaction is required\. This may be due to the conditional access policy)|(?i:SharedTokenCacheCredential authentication unavailable\. Multiple accounts matching)|(?i:not logged in, run .azd (?:auth )?login. to login)|(?i:does not exist in MSAL token cache)|(?i:refresh token has expired)|AzureCLICredential: (?:ERROR: )?(?:Failed to connect to MSI|Please run|The command failed)|failed to get token: .{0,80}?AzureCLICredential: Azure CLI not found|(?i:Failed to connect to MSI\. Please make sure MSI is configured correctly)|(?i:Please run \'?az login\'? to (?:re-?authenticate|continue))|(?i:interactive authentication is needed\. Please run: ?az login)|(?i:Continuous access evaluation resulted in challenge)",
            says="the sign-in is not valid any more",
            sample="ERROR: AADSTS70043: The refresh token has expired or is invalid due to sign-in frequency checks by conditional access. Interactive authentication is needed. Please run: az login",
            unless=r"client proxy|Attempted credentials|DefaultAzureCredential|ChainedTokenCredential|WorkloadIdentityCredential|ApplicationGatewaysClient|on Application Gateway",
            near_miss="Signed in: the refresh token was renewed",
        ),
        Signature(
            pattern=r"Run Connect-AzAccount to log ?in",
            says="the PowerShell session is not signed in",
            sample="Get-AzAksCluster : Run Connect-AzAccount to login.",
            near_miss="Connect-AzAccount ended well",
            weight=TYPICAL,
        ),
    ),
    why="Entra ID no longer accepts the refresh token that `az login` left behind: it is too old, the password was changed, or conditional access asks for another factor, device or network. Nothing is wrong with the cluster.",
    remedy=(
        Step(
            "Sign in again, with the tenant of the cluster.",
            run=("az", "login", "--tenant", "<tenant-id>"),
            risk=Risk.SAFE,
            verify="az account show wants your subscription",
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/authenticate-azure-cli",),
    ask="az account show -o json",
)
