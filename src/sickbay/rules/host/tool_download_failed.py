from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A client (helm, kubectl, kubelogin, bicep) cannot be downloaded: its host is cut off, throttles or fails",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY,),
    detect=(
        Signature(
            pattern=r"(?i)Error while attempting to (?:retrieve the latest|download) Bicep|downloading (?P<fetched>bicep): Get|request to https://(?:downloads|api)\.bicep\.azure\.com/\S{1,100} failed|Failed to download (?P<tool>helm|kubectl|kubelogin|kustomize)\w* from (?:location )?\S|HTTP Error (?:403|429): (?:rate limit exceeded|Too Many Requests)|API rate limit exceeded for \S|(?:setup-helm|setup-kubectl|use-kubelogin|KubeloginInstaller|HelmInstaller|KubectlInstaller).{0,600}?(?:Unexpected HTTP response: (?:40[349]|429|5\d\d)|Request timeout: /|Can(?:'t|not) download tool)|(?:install-cli|Downloading client to \S{1,200} from).{0,600}?(?:HTTP Error (?:40[347]|429|5\d\d)|urlopen error (?:\[Errno|\[WinError|timed out|_ssl)|Connection error while attempting to download client \(<)",
            says="the download[ of {tool}][ of {fetched}] failed",
            sample="Installing v3.15.2 Request timeout: /helm-v3.15.2-linux-amd64.tar.gz Error: Error: Failed to download Helm from location https://get.helm.sh/helm-v3.15.2-linux-amd64.tar.gz",
            near_miss="Installing v3.15.2 Downloading 'v3.15.2' from 'https://get.helm.sh/' Helm tool version 'v3.15.2' has been cached",
            weight=TYPICAL,
            unless=r"(?i)certificate|Permission denied|Helm client was not",
        ),
    ),
    why="az aks install-cli and the tasks of GitHub and Azure Pipelines fetch the client on each run: from get.helm.sh, dl.k8s.io and, for the newest version of kubelogin, from the API of GitHub, which lets 60 requests an hour through for one address without a token; Bicep from downloads.bicep.azure.com. A firewall that lacks these hosts, a shared address or an outage ends the step.",
    remedy=(
        Step(
            "Ask for the file from the same machine.",
            run=("curl", "-sSIL", "<address-of-the-file>"),
            risk=Risk.READ,
            verify="the last answer is 200",
        ),
        Step(
            "Let get.helm.sh, dl.k8s.io, downloads.bicep.azure.com, github.com, api.github.com and objects.githubusercontent.com through, or put the client into the image of the agent."
        ),
        Step("Name a fixed version, and give the task a token, so that GitHub is asked less."),
    ),
    docs=("https://learn.microsoft.com/cli/azure/aks#az-aks-install-cli",),
    ask="az aks install-cli --debug",
)
