from sickbay.rulekit import TYPICAL, Category, Risk, Rule, Severity, Signature, Step

RULE = Rule(
    title="The output of a Nexus run-command cannot be stored: the identity may not write to the storage container (403)",
    severity=Severity.ERROR,
    categories=(Category.IDENTITY, Category.NODES),
    detect=(
        Signature(
            pattern=r"(?i)\b(?:baremetalmachine run-command|run-read-command|run-data-extract|bmm-run-command\w*)\b.{0,300}?(?:\b403\b|not authorized to perform this operation)|failed to upload (?:the )?(?:command )?output.{0,200}?(?:\b403\b|AuthorizationPermissionMismatch|AuthorizationFailure|not authorized)",
            says="storage refuses the output of the command",
            sample="ERROR: failed to upload output: RESPONSE 403: 403 This request is not authorized to perform this operation using this permission. ERROR CODE: AuthorizationPermissionMismatch",
            near_miss="the output was uploaded to the storage container",
            weight=TYPICAL,
        ),
    ),
    why="A command on a bare metal machine leaves its output in the container that commandOutputSettings of the Nexus cluster names, with the identity that stands there. `AuthorizationPermissionMismatch` means that this identity has no role for blob data on the container; `AuthorizationFailure` that the network rules of the storage account keep it out.",
    remedy=(
        Step(
            "See which container and which identity the cluster uses.",
            run=(
                "az",
                "networkcloud",
                "cluster",
                "show",
                "-g",
                "{resource_group}",
                "-n",
                "<nexus-cluster>",
                "--query",
                "commandOutputSettings",
                "-o",
                "json",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Give that identity the role Storage Blob Data Contributor on the container; it takes some minutes to work.",
            run=(
                "az",
                "role",
                "assignment",
                "create",
                "--role",
                "Storage Blob Data Contributor",
                "--assignee-object-id",
                "<identity-object-id>",
                "--scope",
                "<container-id>",
            ),
            risk=Risk.SAFE,
            verify="run the command again: its output wants a link to the blob",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/operator-nexus/howto-baremetal-run-data-extract",
        "https://learn.microsoft.com/azure/operator-nexus/howto-cluster-managed-identity-user-provided-resources",
    ),
    ask="az networkcloud cluster show -g {resource_group} -n <nexus-cluster> --query commandOutputSettings -o json",
)
