from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The kubeconfig file of this machine cannot be read, written or merged",
    severity=Severity.ERROR,
    categories=(Category.CONNECTIVITY, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"(?i)A different object named (?P<object>[\w.-]+) already exists in (?:\w+ in )?your kubeconfig|error loading config file \"|(?:permission denied|cannot open|failed to (?:load|merge|parse)|Invalid kube-?config).{0,80}?\.kube[/\\]config|\.kube[/\\]config'?:? (?:permission denied|no such file)",
            says="the kubeconfig of this machine cannot be used as it is",
            sample="A different object named shop already exists in your kubeconfig file. Overwrite? (y/n): n A different object named shop already exists in clusters in your kubeconfig file.",
            near_miss='Merged "shop" as current context in /home/me/.kube/config',
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
        Step("Let the file belong to the user that runs kubectl, or name another with KUBECONFIG."),
    ),
    docs=("https://learn.microsoft.com/cli/azure/aks#az-aks-get-credentials",),
    ask="kubectl config view",
)
