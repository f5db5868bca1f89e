from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI cannot decrypt or save its sign-in (DPAPI): remote PowerShell session, or another user",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)PersistenceDecryptionError|PersistenceEncryptionError|(?:Decryption|Encryption) failed: ?\[WinError|WinError -214689(?:3813|2987|3802)\]|Key not valid for use in specified state|computer must be trusted for delegation and the current user account must be configured to allow delegation",
            says="the saved sign-in cannot be used",
            sample="Decryption failed: [WinError -2146893813] Key not valid for use in specified state. App developer may consider this guidance: https://github.com/AzureAD/microsoft-authentication-extensions-for-python/wiki/PersistenceDecryptionError",
            near_miss="az login succeeded",
        ),
    ),
    why="On Windows the CLI encrypts its tokens with a key of the user's own logon (DPAPI). In a remote PowerShell session (Enter-PSSession, Windows Admin Center), after the profile was copied, or after a password reset that key is not there, so az login and every later command fail.",
    remedy=(
        Step(
            "Log on to the machine itself (RDP or console) and run the command there, not through remote PowerShell.",
        ),
        Step(
            "Or drop the saved sign-in and sign in anew.",
            run=(
                "az",
                "account",
                "clear",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Where a session without a profile must sign in, keep the tokens unencrypted.",
            run=(
                "az",
                "config",
                "set",
                "core.encrypt_token_cache=false",
            ),
            risk=Risk.SAFE,
            verify="az login succeeds",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/resource-bridge/troubleshoot-resource-bridge",
        "https://learn.microsoft.com/cli/azure/use-azure-cli-successfully-troubleshooting",
    ),
)
