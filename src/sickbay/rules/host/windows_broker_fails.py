from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The sign-in broker of Windows (WAM) fails, so the Azure CLI or module cannot sign in",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"\bStatus: Response_Status\.Status_(?:Unexpected|ApiContractViolation|NoNetwork|InteractionRequired|ServerTemporarilyUnavailable|IncorrectConfiguration)\b|Unexpected exception while waiting for accounts control to finish|\bunknown_broker_error\b|WAM Error (?:Error|Code)|Could not find a WAM account for the selected user|\bwam_no_account_for_id\b|A window handle must be configured",
            says="the account broker of Windows gives an error",
            sample="(pii). Status: Response_Status.Status_Unexpected, Error code: 2147500037, Tag: 557973639 Please explicitly log in with: az login",
            near_miss="msal.application: Broker enabled? True",
        ),
    ),
    why="On Windows az login and Connect-AzAccount ask the Web Account Manager for the token. It does not work for a service, a scheduled task or a program that was started by runas, without a window, or where its own accounts are damaged; and it hides the error (AADSTS…) that Entra ID gave.",
    remedy=(
        Step(
            "Sign in by the browser instead, which also shows the real error of Entra ID.",
            run=("az", "config", "set", "core.enable_broker_on_windows=false"),
            risk=Risk.SAFE,
        ),
        Step(
            "Forget the old accounts, and sign in again.",
            run=("az", "account", "clear"),
            risk=Risk.SAFE,
            verify="az login succeeds",
        ),
        Step(
            "In Azure PowerShell it is `Update-AzConfig -EnableLoginByWam $false`. A service or task signs in as a service principal or managed identity."
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/authenticate-azure-cli-interactively",),
    leads_to=("aks.sign_in_expired",),
    ask="az login --debug",
)
