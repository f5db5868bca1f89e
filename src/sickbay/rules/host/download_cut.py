from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A download from Microsoft is cut off on its way to this machine",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)(?:Download failed|download(?:\.microsoft\.com|\.visualstudio|ing)|aka\.ms|Invoke-WebRequest|DownloadFile|Start-BitsTransfer|galleryimage|\.msi\b).{0,400}?(?:forcibly closed by the remote host|underlying connection was closed|Could not create SSL/TLS secure channel|The operation has timed out|connection was (?:reset|closed) unexpectedly)",
            says="a download did not finish",
            sample="Installation failed: Download failed: Unable to read data from the transport connection: An existing connection was forcibly closed by the remote host.",
            near_miss="Download finished: AzureConnectedMachineAgent.msi",
            unless=r"Could not establish trust relationship",
            weight=TYPICAL,
        ),
    ),
    why="A firewall or proxy on the way resets the connection (inspection, a blocked category, a size limit), the shell offers no TLS 1.2, or the line is too unstable for a large file.",
    remedy=(
        Step(
            "Fetch the same address by hand, with and without the proxy.",
            run=("curl", "-v", "-o", "download.bin", "<url>"),
            risk=Risk.SAFE,
        ),
        Step(
            "Open the address in the firewall without inspection, or set the proxy and TLS 1.2 for this shell; then repeat.",
            verify="the download finishes",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/network-requirements-consolidated",),
    leads_to=("hybrid.update_step_failed", "host.machine_agent_failed"),
    ask="curl -v -o download.bin <url>",
)
