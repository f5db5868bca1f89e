from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The wanted release of AKS or MOC is not offered by the download service (404, NOT FOUND)",
    severity=Severity.ERROR,
    categories=(
        Category.CREATION,
        Category.UPGRADE,
    ),
    detect=(
        Signature(
            pattern=r"(?i)msk8s\.\S{0,40}microsoft\.com.{0,600}?(?:unexpected response code:? 404|404 Not Found)|A release with version (?P<version>[\d.]+) was NOT FOUND",
            says="the release is not in the catalogue",
            sample='GetRelease error returned by API call: Post "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents/default/namespaces/default/names/mocstack-stable/versions/1.0.15.11104/files?action=generateDownloadInfo" giving up after 6 attempt(s): Received unexpected response code: 404',
            near_miss='GetRelease: Post "https://msk8s.api.cdp.microsoft.com/api/v1.1/contents/default/namespaces/default/names/mocstack-stable/versions/1.0.15.11104/files?action=generateDownloadInfo": 200 OK',
            weight=TYPICAL,
        ),
    ),
    why="The download service answers, but does not know the release that these modules ask for: it has expired and was withdrawn, or its entry is missing for the moment on Microsoft's side.",
    remedy=(
        Step(
            "See which releases are offered.",
            run=(
                "powershell",
                "-Command",
                "Get-AksHciUpdates",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Update the AksHci modules, which know the current releases, and close all PowerShell windows.",
            run=(
                "powershell",
                "-Command",
                "Update-Module",
                "-Name",
                "AksHci",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Install or update again; if several sites get 404 at the same time, wait for the service.",
            run=(
                "powershell",
                "-Command",
                "Install-AksHci",
            ),
            risk=Risk.DISRUPTIVE,
            verify="Get-AksHciVersion shows the release",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-workload-clusters",
        "https://learn.microsoft.com/azure/aks/aksarc/known-issues-installation",
    ),
    ask="powershell -Command Get-AksHciUpdates",
)
