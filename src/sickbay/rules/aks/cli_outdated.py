from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The Azure CLI or its aks-preview extension does not fit the command or the service",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"(?:AttributeError: )?'?(?:module 'azure\.mgmt\.containerservice\S*'|(?:ManagedCluster|AgentPool|ContainerService|AKS|Nodepool)\w*') ?(?:object )?has no attribute '?(?P<attribute>\w+)|(?i:aks_preview|azext_aks\w*|command_modules[\\/.]acs)\b.{0,600}?(?:KeyError|AttributeError|TypeError|ImportError|ModuleNotFoundError): ?(?P<key>.{0,80})|(?:KeyError|TypeError|ImportError)\b.{0,300}?(?:azext_aks_?\w*|command_modules[\\/.]acs)|is not recognized by the --enable-a\w*|is not in the 'az aks(?: [\w-]+)*' command group|(?i:command failed with an unexpected error\. Here is the traceback).{0,600}?(?:NoneType|has no attribute|KeyError|TypeError|ImportError)|No such file or directory: '\S{0,200}[/\\]\.azclitask[/\\]bin[/\\]bicep'|(?i:command failed with an unexpected error\. Here is the traceback):? '\w{3,40}' Traceback|(?i:command failed with an unexpected error\. Here is the traceback):? .{0,60}?\(\) (?:missing \d+ required positional argument|got an unexpected keyword argument)|\baz aks [\w-]{3,40}.{0,300}?(?:object )?has (?:object has )?no attribute \W?\w+|\bknack[\\/]{1,2}cli\.py\b.{0,1000}?\b(?:Key|Attribute|UnboundLocal)Error: |is an invalid parameter for command \"aks|No Kubernetes access profiles found\b|The content for this response was already consumed|msrest\.exceptions\.\w*SerializationError|is not valid value for enum <enum",
            says="the client stumbles over its own code or does not know the argument",
            sample="AttributeError: 'ManagedClusterAgentPoolProfile' object has no attribute 'upgrade_settings'",
            near_miss="AttributeError: 'Shop' object has no attribute 'basket'",
            # The folder of any extension but those of az aks.
            unless=r"(?:KeyError|Here is the traceback): ?'(?:users|clusters|contexts|current-context)'|cliextensions[\\/]{1,4}(?:[b-zB-Z]|a[a-jl-z])|'refreshToken' Traceback|\baz (?:connectedk8s|k8s-(?:extension|configuration|runtime)|customlocation|arcappliance|connectedvmware|scvmm|aksarc|hybridaks|stack-hci-vm|networkcloud|networkfabric|arcdata|iot ops)\b",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)command failed with an unexpected error\. Here is the traceback.{0,1000}?(?:azext_aks_preview|command_modules[\\/.]acs)\b",
            says="the code of az aks itself broke off",
            sample="The command failed with an unexpected error. Here is the traceback: can't set attribute Traceback (most recent call last): File /home/ops/.azure/cliextensions/aks-preview/azext_aks_preview/custom.py, line 770, in aks_create",
            near_miss="File /home/ops/.azure/cliextensions/aks-preview/azext_aks_preview/custom.py was loaded",
            unless=r"(?:KeyError|Here is the traceback): ?'(?:users|clusters|contexts|current-context)'|\[Errno \d+\]|HttpResponseError|CloudError|requests\.exceptions|ConnectionError|ClientAuthenticationError|AADSTS|timed out",
            weight=TYPICAL,
        ),
    ),
    why="az aks and the extension aks-preview are written against one version of the API models. When one of them is older than the other, or than the feature, az ends with a Python error (KeyError, AttributeError) or does not know the argument, before or after Azure has answered: the operation itself may have been carried out.",
    remedy=(
        Step(
            "See the versions.",
            run=(
                "az",
                "version",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Bring both up to date.",
            run=(
                "az",
                "upgrade",
                "--yes",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Update the extension as well, or remove it if no preview feature is needed.",
            run=(
                "az",
                "extension",
                "update",
                "-n",
                "aks-preview",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "See whether the operation was carried out all the same before it is repeated: az aks show."
        ),
    ),
    docs=(
        "https://learn.microsoft.com/cli/azure/update-azure-cli",
        "https://learn.microsoft.com/cli/azure/azure-cli-extensions-overview",
    ),
    ask="az version",
)
