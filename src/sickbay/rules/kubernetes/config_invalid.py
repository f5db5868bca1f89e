from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program refuses its configuration or arguments: syntax error, unknown field, option or value",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"(?i)error loading config(?:uration)?\b.{0,200}?(?:yaml|parsing|line \d+|unknown|invalid|field)|couldn.?t load configuration \(|Loading configuration file failed|failed parsing config|unmarshal errors: line \d+: |field \w+ (?:not found|already set) in type|FATAL CONFIG FILE ERROR|Bad directive or wrong number of arguments|unknown variable '[\w-]+|unrecognized configuration parameter|configuration file \S{1,200} contains errors|unknown setting \[[\w.]+\]|cannot (?:unmarshal|resolve) the configuration|Fatal errors found in configuration|parsing \[/\S{1,200}:\d+\] ?: ?unknown keyword|unknown configuration property|Fluent::ConfigError|config error file=|Could not parse the JSON file|Failed to load configuration from file|Failed to bind properties under|snakeyaml\.(?:scanner|parser|error)\.\w+Exception|error initializing configuration|common\.config\.ConfigException: |No security protocol defined for listener|requirement failed: .{0,40}?listeners|Failed to read trust anchors|[Dd]atasource provisioning error: |not a PEM certificate|Invalid config, exiting abnormally|no external labels configured on Prometheus server|The server time zone value '[^']{1,60}' is unrecognized|attempted to set unknown (?:variable|parameter)|Failed to load advanced configuration file|failed to decode configuration from|AH00526: Syntax error|directive .\w+. is not terminated by|\[emerg\] .{0,40}?(?:unknown directive|unexpected .[;}]|unexpected end of file|invalid number of arguments|invalid parameter|directive is not allowed here)|perhaps misspelled or defined by a module|FPM initialization failed|LogStash::ConfigurationError|AirflowConfigException|Unrecognized VM option|Could not create the Java Virtual Machine|Invalid (?:maximum|initial) heap size|Initial heap size set to a larger value|could not parse config|failed to (?:parse|decode|unmarshal|validate) (?:the )?config|invalid configuration: |syntax error in (?:config|/etc)",
            says="a program does not understand its configuration",
            sample='level=error caller=main.go:624 err="error loading config from \\"/etc/prometheus/prometheus.yaml\\": couldn\'t load configuration (--config.file=\\"/etc/prometheus/prometheus.yaml\\"): parsing YAML file: yaml: unmarshal errors:\\n  line 661: field honor_timestamps not found in type config.plain"',
            near_miss='level=info msg="Completed loading of configuration file" filename=/etc/prometheus/prometheus.yml',
            weight=TYPICAL,
            unless=r"(?i)kubelet|error loading config file|kubeconfig|\.kube/|Corefile|coredns|arcappliance|az(?:ure)? ?cli|terraform|containerd|azext|cloud-?config|cloud provider|azure\.json|has not been provided|interface \{\}\(nil\)|helm|Chart\.yaml|kustomiz|webhook|strict decoding",
        ),
        Signature(
            pattern=r"Error: unknown (?:flag|shorthand flag|command)|flag provided but not defined: -|error: unrecognized arguments?: |unrecognized option '?-|Unrecognized option: |Unknown option: '?-|unknown (?:long )?(?:flag|option) '?--?\w|invalid option -- '|unexpected argument '|error: no such option: -|Error: No such option:? '?-",
            says="a program does not know one of its arguments",
            sample="flag provided but not defined: -log-levell",
            near_miss="flags: -log-level=info",
            weight=TYPICAL,
            unless=r"(?i)kubectl|helm|kubelet|\baz\b|az aks|Azure CLI|argocd|terraform|flux |istioctl|cilium ",
        ),
    ),
    why="The program read its configuration file or command line and does not understand it: wrong indentation or quoting, a field that this version does not know (after an upgrade or downgrade), a misspelt option, or a value outside its range. The message names file, line or option; the config map, Helm values or args of the container hold it.",
    remedy=(
        Step(
            "See the arguments and the mounted configuration.",
            run=(
                "kubectl",
                "get",
                "pod",
                "{pod}",
                "-n",
                "{namespace}",
                "-o",
                "yaml",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Correct the file, value or argument that the message names, check it with the program's own test (promtool check config, nginx -t, haproxy -c), and roll it out.",
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=("https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/",),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
    vague=True,
)
