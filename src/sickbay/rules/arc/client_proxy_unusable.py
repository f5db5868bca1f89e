from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The client proxy of az connectedk8s (arcProxy) cannot be downloaded, started or kept running on this machine",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)\bAZK8S080[0234]\b|ClientProxy(?:DownloadFailed|StartFailed|ConfigCreateFailed|Closed)\b|Failed to download (?:the client proxy binary|executable with client|arc ?proxy)|Failed to download (?:the )?client proxy|with url: /?\S{0,80}arcProxy|Failed to start proxy process|Failed to (?:create config for|remove old config)\b.{0,20}|Failed to create proxy executable|Failed to create installation directory\. ?\[|Failed to load kubeconfig\. ?(?:Expecting|Extra data|Invalid control)|Proxy closed externally|client proxy process was closed externally|Failed to (?:pass hybrid connection details to|fetch public key info from|pass refresh token details to) (?:client )?proxy|(?:Exec format error|Bad CPU type in executable): '?\S{0,200}arcProxy",
            says="the client proxy does not run",
            sample="Failed to start proxy process: [Errno 8] Exec format error: '/home/ops/.azure/.clientproxy/arcProxyLinux1.3.022011'",
            near_miss="Proxy is listening on port 47011 Press Ctrl+C to close proxy.",
        ),
    ),
    why="az connectedk8s proxy downloads a program (arcProxy, from mcr.microsoft.com, into .azure/.clientproxy) and runs it on ports 47010 and 47011. A blocked registry, a file that was cut off or is for another processor, a full or closed folder, or security software that ends the process leaves kubectl without its way to the cluster.",
    remedy=(
        Step(
            "Remove the downloaded program, so that it is fetched again.",
            run=("Remove-Item", "-Recurse", "$HOME/.azure/.clientproxy"),
            risk=Risk.SAFE,
        ),
        Step(
            "Open mcr.microsoft.com and *.data.mcr.microsoft.com to this machine (HTTPS_PROXY behind a proxy), and allow the program arcProxy in the security software.",
        ),
        Step(
            "Start it again, with its own messages.",
            run=(
                "az",
                "connectedk8s",
                "proxy",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--debug",
            ),
            risk=Risk.READ,
            verify="Proxy is listening on port 47011",
        ),
    ),
    docs=("https://learn.microsoft.com/azure/azure-arc/kubernetes/cluster-connect",),
)
