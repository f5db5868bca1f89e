from sickbay.rulekit import Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="An extension of the Azure CLI is damaged, or does not fit the version of the CLI (a module is missing)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        Signature(
            pattern=r"Cannot load native module '?(?P<module>[\w.]+)|azext_\w+.{0,200}?(?:ImportError|DLL load failed|ModuleNotFoundError)|(?:ImportError|ModuleNotFoundError): .{0,80}?azext_\w+|No module named '(?:azure|azext|msrest|kubernetes|oras|Crypto)[\w.]*'|The operation 'azext_\w+[\w.#]*' is invalid|object has no attribute 'signed_session'|cannot import name '\w+' from '(?:azure|msrest|azext)[\w.]*'|cannot import name '?\w+'?.{0,400}?(?:azext_|/knack/|azure/cli/core)|Here is the traceback: cannot import name|checksum of the extension does not match",
            says="a module of the extension cannot be loaded",
            sample="OSError: Cannot load native module 'Crypto.Hash._MD5': Not found '_MD5.cp310-win_amd64.pyd'",
            near_miss="Loaded native module 'Crypto.Hash._MD5'",
        ),
    ),
    why="A part of the extension did not download properly or does not fit this machine (Cannot load native module 'Crypto.Hash…', DLL load failed), or the extension was made for an older or newer Azure CLI (No module named 'azure…', no attribute 'signed_session'). Removing and adding the extension brings it back.",
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
