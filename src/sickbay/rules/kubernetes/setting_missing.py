from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A program ends because a setting or environment variable that it needs is not set",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD,),
    detect=(
        Signature(
            pattern=r"Could not resolve placeholder '(?P<setting>[^']{1,120})'|os\.environ\[.{1,200}?KeyError: '(?P<key>\w{2,80})'|raise KeyError\(key\) from None KeyError: '(?P<name>\w{2,80})'|Failed to configure a DataSource: 'url' attribute is not specified|Database is uninitialized and (?:superuser )?password (?:option )?is not specified|The ConnectionString property has not been initialized|Value cannot be null\. (?:\(Parameter |Parameter name: )'?(?:uri\w*|url\w*|\w*[eE]ndpoint\w*|host\w*|\w*[tT]oken\w*|\w*[cC]onnection\w*|configuration|\w*[sS]ecret\w*|\w*[kK]ey\w*)\b|required key (?P<envconfig>\w{2,80}) missing value|The \w{2,80} setting must not be empty|validation errors? for \w*(?:Settings|Config)\w* .{0,200}?[fF]ield required|No connection string named '(?P<connection>[^']{1,80})'|Missing required configuration|[Cc]onfig(?:uration)? validation error: \x22?\w{2,80}\x22? (?:is required|is not allowed to be empty)|Missing encryption key to decrypt file with|No application encryption key has been specified|myid file is missing|Unable to configure HTTPS endpoint\. No server certificate|A connection string was not found|[Nn]o (?:database )?connection string (?:was )?(?:found|specified|provided)|secretOrPrivateKey must have a value|`secret_key_base` for production|SECRET_KEY setting must not be empty|either POSTGRES_PASSWORD|You need to specify one of the following as an environment variable|JWT secret (?:is )?(?:not set|missing)|No supported encrypter found\. The cipher and|Unsupported cipher or incorrect key length|Could not locate a Flask application\. You did not provide the",
            says="a program does not find a setting that it needs",
            sample="Caused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'shop.queue' in value \"${shop.queue}\"",
            near_miss="Resolved placeholder shop.queue from environment variable SHOP_QUEUE",
            unless=r"(?i)AzureServiceTokenProvider|Connection String: \[|Azure CLI|az login|AZURE_(?:TENANT|CLIENT|FEDERATED|AUTHORITY)|KUBERNETES_SERVICE_HOST|EnvironmentCredential|DefaultAzureCredential",
            common=True,
        ),
        Signature(
            pattern=r"(?i)environment variables? not found: (?P<prisma>\w{2,80})|environment variables? \W?(?P<variable>\w{2,80})\W? (?:is |are |was |has |must )?(?:not (?:been )?(?:set|defined|found|provided)|required|missing|empty|unset|be set|undefined)|(?:missing|required|undefined|unset|set the|no) (?:required |mandatory |\w+ )?environment variables?|(?P<named>[A-Z][A-Z0-9_]{3,60})\W? environment variable (?:is |was |must )?(?:not set|required|missing|unset|be set)|env (?:var|variable) \W?(?P<short>[A-Z][A-Z0-9_]{2,60})\W? (?:is |was )?(?:required|missing|unset|undefined)",
            says="an environment variable that a program needs is not set",
            sample="Error: Environment variable not found: DATABASE_URL.",
            near_miss="environment variable DATABASE_URL is set",
            unless=r"(?i)AzureServiceTokenProvider|Connection String: \[|Azure CLI|az login|AZURE_(?:TENANT|CLIENT|FEDERATED|AUTHORITY)|KUBERNETES_SERVICE_HOST|EnvironmentCredential|DefaultAzureCredential|warn|\bINFO\b|optional|default",
            common=True,
        ),
        Signature(
            pattern=r"End-User License Agreement \(EULA\) must be accepted|Strict hostname resolution configured but no hostname|hostname is not configured; |Key material not provided to setup HTTPS|evaluation period has expired|You must (?:set|specify|provide) (?:the )?[A-Z][A-Z0-9_]{3,60}|(?:Please|please) (?:set|provide|define) (?:the )?[A-Z][A-Z0-9_]{4,60}|[A-Z][A-Z0-9]{2,40}_[A-Z0-9_]{2,60} (?:is required|is empty|is undefined|is missing|must be set)\b|[A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{2,60}: (?:parameter not set|unbound variable|parameter null or not set)",
            says="a program does not find a setting that it needs",
            sample="The SQL Server End-User License Agreement (EULA) must be accepted before SQL Server can start. ACCEPT_EULA is not set",
            near_miss="DATABASE_URL found in the environment",
            weight=TYPICAL,
            unless=r"(?i)AZURE_(?:TENANT|CLIENT|FEDERATED|AUTHORITY)|KUBERNETES_(?:SERVICE|MASTER)|KUBECONFIG|EnvironmentCredential|DefaultAzureCredential|warn|\bINFO\b|optional|default|terraform|ARM_|az login",
            common=True,
        ),
    ),
    why="The program reads a setting at its start and does not go on without it. The environment variable or key is not in the pod: the config map or secret lacks it, its name is written differently, or the deployment does not pass it on.",
    remedy=(
        Step(
            "See which variables and settings the pod gets.",
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
            "Add the setting to the config map, secret or values of the workload, and roll it out.",
            run=(
                "kubectl",
                "rollout",
                "restart",
                "<workload>",
                "-n",
                "{namespace}",
            ),
            risk=Risk.DISRUPTIVE,
            verify="the restart count of the pod stands still",
        ),
    ),
    docs=(
        "https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/",
    ),
    leads_to=("kubernetes.program_fails", "kubernetes.probe_refused"),
    ask="kubectl logs {pod} -n {namespace} --all-containers --previous",
)
