from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A build agent or runner cannot register with GitHub, Azure DevOps or GitLab (token, URL, rights)",
    severity=Severity.ERROR,
    categories=(Category.WORKLOAD, Category.IDENTITY),
    detect=(
        Signature(
            pattern=r"Http response code: \w+ from 'POST https://\S{3,200}/actions/runner-registration|[Ff]ailed to (?:get new|create|get runner) registration token|could not refresh installation id \d+'s token|VS30063: You are not authorized|needs Manage permissions for pool (?P<pool>[^.]{1,80})|Failed to (?:get|create) runner scale set (?:from|on) Actions service|had issue communicating with Actions backend|PANIC: Failed to (?:register|verify) (?:the|this) runner|Registering runner\.\.\. (?:forbidden|failed)|Runner failed to register itself to GitHub in timely manner|failed to get runner registration token|No agent pool found with identifier|TF400813: The user \S{1,200} is not authorized to access this resource|No agent found in pool (?P<agents>.{1,80}?) which satisfies",
            says="the agent is not registered[ in the pool {pool}]",
            sample="Http response code: NotFound from 'POST https://api.github.com/actions/runner-registration'",
            near_miss="√ Runner successfully added",
            unless=r"az devops|az pipelines|no such host|i/o timeout|x509|connection refused|[Cc]ould not resolve",
        ),
    ),
    why="At its start an agent asks its service for a registration with a token (or the controller does so with a GitHub App). The token is expired, revoked or of too narrow a scope, the App is not installed for that repository or organisation, the URL or pool is misspelled, or the account may not manage the pool. The service answers 401, 403 or, so as not to tell, 404.",
    remedy=(
        Step(
            "See with which URL, pool and secret the agent registers.",
            run=("kubectl", "get", "pod", "{pod}", "-n", "{namespace}", "-o", "yaml"),
            risk=Risk.READ,
        ),
        Step(
            "Make a new token (GitHub: repo or admin:org, or the App with administration rights; Azure DevOps: Agent Pools, read and manage) and put it into the secret.",
            risk=Risk.SAFE,
        ),
        Step(
            "Start the agents or their controller again.",
            run=("kubectl", "rollout", "restart", "deployment/<controller>", "-n", "{namespace}"),
            risk=Risk.DISRUPTIVE,
            verify="the agent is online in its pool",
        ),
    ),
    docs=(
        "https://docs.github.com/actions/hosting-your-own-runners/managing-self-hosted-runners-with-actions-runner-controller/authenticating-to-the-github-api",
        "https://learn.microsoft.com/azure/devops/pipelines/agents/docker",
    ),
    leads_to=("kubernetes.program_fails",),
    ask="kubectl logs {pod} -n {namespace} --all-containers",
)
