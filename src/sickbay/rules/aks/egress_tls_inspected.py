from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="TLS inspection breaks the downloads of the nodes",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?:packages\.aks|mcr\.microsoft|acs-mirror|(?i:vmsscse|custom ?script|cluster-provision|exit (?:status|code)[ =:]{1,2}\d+)).{0,800}?curl: \((?:60|35|51|58|77)\) .{0,200}?(?i:ssl|tls|certificate|reset|eof)|curl: \((?:60|35|51|58|77)\) .{0,200}?(?i:ssl|tls|certificate|reset|eof).{0,800}?(?:packages\.aks|mcr\.microsoft|acs-mirror|(?i:vmsscse|custom ?script|cluster-provision))|(?i:unexpected eof while reading).{0,80}?(?:packages\.aks|mcr\.microsoft|acs-mirror)",
            says="the TLS connection of a download was broken",
            sample="Downloading https://packages.aks.azure.com/kubernetes/v1.30.0/binaries/kubernetes-node-linux-amd64.tar.gz curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
            near_miss="curl: (28) Connection timed out after 5001 milliseconds",
            unless=r"no alternative certificate subject name",
            weight=TYPICAL,
        ),
    ),
    why="A proxy or firewall opens the nodes' TLS connections: it shows a certificate of its own that the nodes do not trust (curl 60), or resets the connection (curl 35).",
    remedy=(
        Step(
            "See who signed the certificate that a node gets.",
            run=(
                "az",
                "vmss",
                "run-command",
                "invoke",
                "-g",
                "{node_resource_group}",
                "-n",
                "<scale-set>",
                "--instance-id",
                "<instance>",
                "--command-id",
                "RunShellScript",
                "--scripts",
                "openssl s_client -connect mcr.microsoft.com:443 -servername mcr.microsoft.com </dev/null 2>/dev/null | openssl x509 -noout -issuer",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Exempt the required hosts of AKS from inspection, or give the nodes the authority (HTTP proxy trustedCa, custom CA trust).",
            risk=Risk.DISRUPTIVE,
            verify="the issuer wants to be Microsoft or DigiCert",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/vmextensionerror-k8sdownloadtimeout",
        "https://learn.microsoft.com/azure/aks/custom-certificate-authority",
    ),
    leads_to=("aks.bootstrap_download_failed", "aks.node_cannot_reach_api"),
    ask="az vmss list-instances -g {node_resource_group} -n <scale-set> --expand instanceView -o json",
)
