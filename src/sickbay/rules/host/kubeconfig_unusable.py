from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig file of this machine cannot be read, written or merged",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)\bkubeconfig\b.{0,60}?\b(?:is|was|seems) corrupt(?:ed)?\b|A different object named (?P<object>[\w.-]+) already exists in (?:\w+ in )?your kubeconfig|\[Errno 2\] No such file or directory: '\S{0,200}[/\\]\.kube[/\\]{1,2}config|error loading config file \"|Here is the traceback: ?\[Errno (?:2|22)\] (?:No such file or directory|Invalid argument): '\W{0,3}\w?'|_merge_credentials.{0,300}?\[Errno (?:2|13|22)\]|(?:permission denied|cannot open|failed to (?:load|merge|parse)|Invalid kube-?config).{0,80}?\.kube[/\\]config|\.kube[/\\]config'?:? (?:permission denied|no such file)|(?:cannot (?:access|open|stat)|open|stat) '?\S{0,200}(?:/k3s\.yaml|/admin\.conf|[\\/]kubeconfig)'?: no such file|_merge_credentials.{0,600}?KeyError: '(?:users|clusters|contexts|current-context)'|Here is the traceback: ?'(?:users|clusters|contexts|current-context)' Traceback|Failed to merge (?:kubeconfig\.|credentials to kube config file)|Exception while (?:merging the kubeconfig file|loading kubernetes configuration)|Problem loading the kubeconfig file\. ?(?:\S{0,40} codec can't decode|unacceptable character|while (?:parsing|scanning)|mapping values|could not find expected|expected )|in \"[^\"]{0,200}\.kube[/\\]{1,2}config\", (?:position|line) \d+",
            says="the kubeconfig of this machine cannot be used as it is",
            sample="A different object named shop already exists in your kubeconfig file. Overwrite? (y/n): n A different object named shop already exists in clusters in your kubeconfig file.",
            near_miss='Merged "shop" as current context in /home/me/.kube/config',
        ),
        Signature(
            # A list in KUBECONFIG, or no home: az takes the value for the path of one file.
            pattern=r"\[Errno \d{1,2}\] [\w -]{3,60}: '[^']{0,200}\.kube[/\\]|\[WinError (?:3|5|123|267)\] .{0,120}: '(?:;|[^']{0,200}\.kube\b)|aks get-credentials.{0,200}?\[Errno 13\] Permission denied: '",
            says="az cannot write the kubeconfig to where it is told to be",
            sample="ERROR: [Errno 30] Read-only file system: '/.kube/config'",
            near_miss="ERROR: [Errno 30] Read-only file system: '/mnt/data/report.csv'",
        ),
    ),
    why="kubectl and `az aks get-credentials` share one file. An older entry of the same name, another owner of the file or broken YAML in it ends the command on this machine, before any cluster is asked.",
    remedy=(
        Step(
            "See the contexts that are there.",
            run=("kubectl", "config", "get-contexts"),
            risk=Risk.READ,
        ),
        Step(
            "Write the credentials anew, over the older entry.",
            run=(
                "az",
                "aks",
                "get-credentials",
                "-g",
                "{resource_group}",
                "-n",
                "{cluster}",
                "--overwrite-existing",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
        Step(
            "Let the file belong to the user that runs kubectl, or name another with KUBECONFIG. For `az aks get-credentials` that is one file that can be written (`--file`), not a list."
        ),
    ),
    docs=("https://learn.microsoft.com/cli/azure/aks#az-aks-get-credentials",),
    leads_to=("arc.kube_api_unverified",),
    ask="kubectl config view",
)
