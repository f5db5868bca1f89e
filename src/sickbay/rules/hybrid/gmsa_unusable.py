from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="Windows containers cannot use their group managed service account (gMSA)",
    severity=Severity.ERROR,
    categories=(
        Category.IDENTITY,
        Category.WORKLOAD,
    ),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:gMSA|gmsacredentialspecs?|credential ?spec)\b.{0,240}?(?:fail\w*|error|not found|could not|cannot|denied|incorrect|not (?:exist|authori[sz]ed))|hcs::CreateComputeSystem\b.{0,160}?(?:specified logon session does not exist|user name or password is incorrect)|(?:specified domain either does not exist|account could not be found)\b.{0,200}?\b(?:gMSA|credential ?spec)\b",
            says="the account cannot be used",
            sample="Failed to set up gMSA credential spec: The specified domain either does not exist or could not be contacted",
            near_miss="gMSA credential spec web1 is set up",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"\bERROR_NO_LOGON_SERVERS\b|Trusted DC Connection Status Status = [1-9]\d*|Trust Verification Status = [1-9]\d*",
            says="a container finds no domain controller for its account (nltest)",
            sample="Trusted DC Connection Status Status = 1311 0x51f ERROR_NO_LOGON_SERVERS",
            near_miss="Trusted DC Connection Status Status = 0 0x0 NERR_Success",
            weight=TYPICAL,
        ),
    ),
    why="A pod with a gMSA asks the domain controller for the password of the account through the plug-in of the node. It fails when the domain or its DNS cannot be reached from the node, the portable user of the plug-in may not read the password, the credential spec names another account or the webhook is not installed.",
    remedy=(
        Step(
            "See the credential specs and events.",
            run=(
                "kubectl",
                "get",
                "gmsacredentialspecs,events",
                "-A",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Test the domain from the node (nltest /sc_verify), correct secret or spec, and start the pod again.",
            risk=Risk.DISRUPTIVE,
            verify="nltest in the pod wants Success",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/aksarc/prepare-windows-nodes-gmsa",),
    ask="kubectl get gmsacredentialspecs",
)
