from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="A vault with createMode createOrRecover or purgeThenCreate needs an owner inside the cluster, not an armId",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"unable to find owner of KeyVault|owner of KeyVault (?P<vault>[\w-]{1,60}) is not within the cluster",
            says="the owner of the vault[ {vault}] is not an object of the cluster",
            sample="failed to add initial resource state: failed to modify ARM payload: unable to find owner of KeyVault shop-kv: owner of KeyVault shop-kv is not within the cluster",
            near_miss="the owner of KeyVault shop-kv is Ready",
        ),
    ),
    why="For these values of createMode ASO looks up deleted vaults before it sends the request, and older releases of it can do so only when spec.owner names a ResourceGroup object of the namespace. With spec.owner.armId the payload cannot be built, so that nothing is ever sent to Azure.",
    remedy=(
        Step(
            "See which release of ASO runs.",
            run=(
                "kubectl",
                "get",
                "deployment",
                "azureserviceoperator-controller-manager",
                "-n",
                "azureserviceoperator-system",
                "-o",
                "wide",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Upgrade ASO; or make a ResourceGroup object with reconcile-policy skip for the group and name it as spec.owner; or leave createMode at default.",
            verify="kubectl get vaults.keyvault.azure.com -n {namespace} wants READY True",
        ),
    ),
    docs=("https://azure.github.io/azure-service-operator/reference/keyvault/",),
    leads_to=("aso.not_ready",),
    ask="kubectl get deployment azureserviceoperator-controller-manager -n azureserviceoperator-system -o wide",
)
