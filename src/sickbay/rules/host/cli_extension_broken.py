from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension of the Azure CLI is damaged, or does not fit the version of the CLI (a module is missing)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Cannot load native module '?(?P<module>[\w.]+)|azext_\w+.{0,200}?(?:ImportError|DLL load failed|ModuleNotFoundError)|(?:ImportError|ModuleNotFoundError): .{0,80}?azext_\w+|No module named '(?:azure|azext|msrest|kubernetes|oras|Crypto)[\w.]*'|Error loading command module '\w[\w-]*': \w+\.\w+\(\) got an unexpected keyword|The operation 'azext_\w+[\w.#]*' is invalid|object has no attribute 'signed_session'|cannot import name '\w+' from '(?:azure|msrest|azext)[\w.]*'|cannot import name '?\w+'?.{0,400}?(?:azext_|[\\/]knack[\\/]|azure[\\/]cli[\\/]core)|Here is the traceback: cannot import name|checksum of the extension does not match|Unable to build a model: Unable to deserialize response data",
            says="a module of the extension cannot be loaded",
            sample="OSError: Cannot load native module 'Crypto.Hash._MD5': Not found '_MD5.cp310-win_amd64.pyd'",
            near_miss="Loaded native module 'Crypto.Hash._MD5'",
        ),
        Signature(
            pattern=r"(?i)\bUnable to load extension '(?P<extension>[\w-]+)",
            says="az leaves the extension {extension} out, because it cannot load it",
            sample="Unable to load extension 'aks-preview'. Use --debug for more information.",
            near_miss="The installed extension 'aks-preview' is in preview.",
            weight=TYPICAL,
        ),
        Signature(
            pattern=r"(?i)Traceback \(most recent call last\).{0,1000}?cliextensions[\\/]{1,4}(?:[b-z]|a[a-jl-z])[\w.-]*[\\/].{0,800}?(?:has no attribute|is not subscriptable|(?:Key|Attribute|Type|Name|UnboundLocal)Error:)|(?:azext_|connectedk8s|on the kubernetes cluster\.).{0,200}?local variable '\w+' referenced before assignment|'NoneType' object has no attribute '__name__'.{0,900}?(?:/knack/|azure[./]cli[./]core|core/commands)|has no attribute '?\w+'? Traceback \(most recent call last\).{0,600}?cliextensions[\\/]{1,4}(?:[b-z]|a[a-jl-z])|\bAZK8S0507\b|KeyPairGenerationFailed|client proxy ?name '\w+' is not defined|Here is the traceback: cf_\w+\(\) (?:takes|got|missing)|\baz (?:connectedk8s|k8s-(?:extension|configuration|runtime)|customlocation|arcappliance|connectedvmware|scvmm|aksarc|hybridaks|stack-hci-vm|networkcloud|networkfabric|arcdata|iot ops)\b.{0,400}?Here is the traceback: .{0,160}?(?:has no attribute|is not subscriptable|positional arguments?\b|unexpected keyword argument)",
            says="the code of the extension itself broke off",
            sample="Traceback (most recent call last): File /home/ops/.azure/cliextensions/connectedk8s/azext_connectedk8s/custom.py, line 300, in create_connectedk8s AttributeError: 'NoneType' object has no attribute 'get'",
            near_miss="File /home/ops/.azure/cliextensions/connectedk8s/azext_connectedk8s/custom.py was loaded",
            # These say in their own words what was refused, and the code only passes it on.
            unless=r"HttpResponseError|requests\.exceptions|ConnectionError|ClientAuthenticationError|AADSTS|timed out|'refreshToken' Traceback|Errno \d+",
            weight=TYPICAL,
        ),
    ),
    why="A part of the extension did not download properly or does not fit this machine (Cannot load native module 'Crypto.Hash…', DLL load failed), or the extension was made for an older or newer Azure CLI (No module named 'azure…', no attribute 'signed_session'), so that its own code stumbles (KeyError, AttributeError, TypeError). Removing and adding the extension brings it back.",
    remedy=(
        Step(
            "Remove the extension.",
            run=(
                "az",
                "extension",
                "remove",
                "--name",
                "connectedk8s",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Add it again.",
            run=(
                "az",
                "extension",
                "add",
                "--name",
                "connectedk8s",
            ),
            risk=Risk.SAFE,
        ),
        Step(
            "Do the same with k8s-configuration if it is there, then repeat the command.",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-arc/kubernetes/troubleshooting",
        "https://learn.microsoft.com/cli/azure/azure-cli-extensions-overview",
    ),
)
