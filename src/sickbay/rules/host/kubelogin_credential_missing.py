from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="kubelogin lacks what its login method needs: client id, secret, certificate, tenant or PoP claims",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY,),
    detect=(
        Signature(
            pattern=r"(?i)please provide the pop-claims flag|Error: (?:both )?(?:clientID|clientSecret|tenantID|serverID|resourceID|federatedTokenFile|clientCert\w*)\b.{0,40}? cannot be empty|failed to (?:get|acquire) token.{0,80}?\bopen .{1,200}?: (?:file name too long|no such file or directory|The system cannot find the (?:file|path) specified)|parameter '(?:clientSecret|clientID|tenantID|secret|clientCertPath|identityResourceID)' cannot be empty|failed to create azidentity credential: .{0,60}?(?:tenant|client|secret|certificate).{0,40}?(?:cannot be empty|is required|must be)|(?:kubelogin|get-token|convert-kubeconfig).{0,300}?(?:client-id|client-secret|tenant-id|AAD_SERVICE_PRINCIPAL_CLIENT_(?:ID|SECRET)|AZURE_CLIENT_(?:ID|SECRET)|AZURE_TENANT_ID|AZURE_FEDERATED_TOKEN_FILE)\S{0,3} (?:is|are|must be|was) (?:not set|required|empty|missing|not provided|provided)|--azure-pipelines-service-connection-id is required|SYSTEM_ACCESSTOKEN environment variable not set|(?:tenant|client) ID is required for \w+ login method",
            says="a credential of the login is missing",
            sample="Error: failed to create service principal token using secret: parameter 'clientSecret' cannot be empty",
            near_miss="kubelogin get-token --login spn --client-id c",
        ),
    ),
    why="For spn, workloadidentity and msi kubelogin takes client id, secret, certificate, tenant or token file from its arguments or from the environment (AAD_SERVICE_PRINCIPAL_CLIENT_ID and _SECRET, AZURE_CLIENT_ID, AZURE_TENANT_ID, AZURE_FEDERATED_TOKEN_FILE). In the shell, container or pipeline that runs kubectl they are not set.",
    remedy=(
        Step(
            "Set the variables of the login method where kubectl runs (in a pipeline, as secrets of the step).",
        ),
        Step(
            "Or sign in with what the Azure CLI has.",
            run=(
                "kubelogin",
                "convert-kubeconfig",
                "-l",
                "azurecli",
            ),
            risk=Risk.SAFE,
            verify="kubectl get nodes answers",
        ),
    ),
    docs=("https://azure.github.io/kubelogin/",),
    leads_to=("kubernetes.kubeconfig_rejected",),
)
