from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubectl, Helm or the flux client is called wrongly: an unknown flag or command, or arguments that do not fit",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"error: rollout status is only available for RollingUpdate strategy|error: unknown (?:shorthand )?(?:flag|command).{0,160}?(?:See 'kubectl|for \"kubectl\")|error: unknown command \"[^\"]{1,80}\"(?: \"[^\"]{1,80}\")? for \"kubectl\"|there is no need to specify a resource type as a separate argument|arguments in resource/name form must have a single resource|error: must specify one of -f and -k|error: exactly one NAME is required|error: [Yy]ou must (?:provide one or more resources by argument or filename|specify (?:the type of resource|two or three arguments|at least one command for the container))|error: resource\(s\) were provided, but no name|error: unable to match a printer suitable for the output format|error: (?:at least one|no) (?:label|annotation|taint) update is required|error: setting 'all' parameter but found a non empty selector|error: required flag\(s\) \"[^\"]{1,80}\" not set|error: no kind \"\w{1,80}\" is registered for version \"[\w./-]{1,80}\" in scheme \"\S{0,40}pkg/scheme/scheme\.go|error: invalid argument \"[^\"]{0,120}\" for \"-|the namespace from the provided object \"[^\"]{1,63}\" does not match the namespace",
            says="kubectl does not accept its arguments",
            sample="error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
            near_miss='error: the server doesn\'t have a resource type "carts"',
        ),
        Signature(
            pattern=r"Error: \"helm [\w ]{3,40}\" requires (?:at least |exactly )?\d+ arguments?|Error: unknown command \"[^\"]{1,80}\" for \"helm|must either provide a name or specify --generate-name|cannot set --?[\w-]{3,40} and provide a name|failed parsing --set(?:-string|-file|-json)? data: (?P<fault>.{3,160})|Error: (?:INSTALLATION FAILED: |UPGRADE FAILED: )?release name is invalid|invalid release name, must match regex",
            says="Helm does not accept its arguments[: {fault}]",
            sample="Error: INSTALLATION FAILED: must either provide a name or specify --generate-name",
            near_miss="Error: INSTALLATION FAILED: cannot re-use a name that is still in use",
            unless=r"Unable to install helm release|azure-arc|ArcAgentryHelm",
        ),
        Signature(
            pattern=r"(?i)(?:^|error: |✗ |[.:!] )unknown (?:shorthand )?flag: ?(?P<flag>'?--?[\w-]{1,60})",
            says="this version of the client does not know {flag}",
            sample="unknown flag: --git-implementation",
            near_miss="flag: --git-implementation is accepted",
            weight=TYPICAL,
            vague=True,
        ),
    ),
    why="The client checks its command line before it asks the cluster for anything. A flag is misspelt or belongs to another version, an empty variable of the pipeline swallowed an argument, a value with a comma was not quoted, or a plugin that brings the command is not installed. Nothing was changed.",
    remedy=(
        Step(
            "See what the command takes in this version.",
            run=("kubectl", "help"),
            risk=Risk.READ,
        ),
        Step(
            "Print the command as the pipeline really runs it, with its variables filled in, and correct it.",
            risk=Risk.SAFE,
            verify="the command is accepted",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/reference/kubectl/",
        "https://helm.sh/docs/helm/helm/",
    ),
    ask="kubectl version",
)
