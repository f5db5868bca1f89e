from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The custom CA certificates for the nodes are refused: too many, or not valid base64 PEM",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?i)\bcustom ?-?_?CA ?-?_?trust\w*(?:-certificates)?\b.{0,160}?(?:\binvalid\b|not (?:supported|allowed|valid)|at most|more than|must|cannot|exceed|only|maximum|malformed|decode)|\b(?:Invalid|TooMany)CustomCA\w*\b",
            says="the CA certificates for the nodes are refused",
            sample="(InvalidParameter) customCATrustCertificates: at most 10 certificates are supported.",
            near_miss="customCATrustCertificates: 2 certificates, custom CA trust is enabled",
            weight=TYPICAL,
            unless=r"(?i)ExitCode|exit status|not registered",
        ),
    ),
    why="securityProfile.customCATrustCertificates takes up to ten certificates, each PEM in base64, that are put into the trust store of Linux nodes. A file with more of them, with private keys, with broken line ends or for Windows pools is refused.",
    remedy=(
        Step(
            "Check the file with openssl x509 -in ca.pem -noout -subject -enddate: certificates only, one after another, at most ten."
        ),
        Step(
            "Set it again.",
            run=(
                "az",
                "aks",
                "update",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--custom-ca-trust-certificates",
                "ca.pem",
            ),
            risk=Risk.DISRUPTIVE,
            verify="az aks show --query securityProfile.customCATrustCertificates wants the certificates",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/aks/custom-certificate-authority",),
    leads_to=("aks.request_refused",),
    ask="az aks show -g {resource_group} -n {cluster} --query securityProfile -o json",
)
