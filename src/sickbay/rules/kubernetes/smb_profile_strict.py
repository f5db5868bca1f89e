from sickbay.model.ids import arm
from sickbay.model.snapshot import Snapshot
from sickbay.model.vaults import FileService
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(FileService)
def leaves_nodes_out(service: FileService, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    smb = service.protocol_settings.smb if service.protocol_settings else None
    if smb is None:
        return Clear(f"the file service of {service.account} has no SMB settings of its own")
    methods, ciphers = smb.authentication_methods, smb.channel_encryption
    if methods and "ntlmv2" not in methods.casefold():
        path, value, lacks = "authenticationMethods", methods, "NTLMv2"
    elif ciphers and "gcm" in ciphers.casefold() and "aes-128-gcm" not in ciphers.casefold():
        path, value, lacks = "channelEncryption", ciphers, "AES-128-GCM"
    else:
        return Clear(f"the file service of {service.account} allows what nodes use")
    return Match(
        f"the file service of storage account {service.account} allows {path} {value}, without {lacks}",
        facts={"account": service.account},
        cites=(service.cite(f"properties.protocolSettings.smb.{path}", value),),
        subject=arm(service.ref.parent),
        felt_as=("kubernetes.share_access_denied", "kubernetes.mount_failed"),
    )


RULE = Rule(
    title="The SMB settings of a storage account shut the nodes out (NTLMv2 or AES-128-GCM is switched off)",
    severity=Severity.ERROR,
    categories=(Category.STORAGE,),
    detect=(leaves_nodes_out,),
    why="Nodes mount Azure Files with the account key by NTLMv2, and Linux kernels encrypt with AES-128-GCM (newer ones also AES-256-GCM). The security profile of the file service leaves the one or the other out (Maximum security), so the mount ends with mount error(13): Permission denied.",
    remedy=(
        Step(
            "See the profile.",
            run=(
                "az",
                "storage",
                "account",
                "file-service-properties",
                "show",
                "--account-name",
                "{account}",
                "-g",
                "{resource_group}",
                "--query",
                "protocolSettings.smb",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Allow NTLMv2 and AES-128-GCM.",
            run=(
                "az",
                "storage",
                "account",
                "file-service-properties",
                "update",
                "--account-name",
                "{account}",
                "-g",
                "{resource_group}",
                "--auth-methods",
                "NTLMv2;Kerberos",
                "--channel-encryption",
                "AES-128-GCM;AES-256-GCM",
            ),
            verify="kubectl get pod {pod} -n {namespace} wants STATUS Running",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/storage/fail-to-mount-azure-file-share",
        "https://learn.microsoft.com/azure/storage/files/files-smb-protocol",
    ),
    leads_to=(
        "kubernetes.share_access_denied",
        "kubernetes.mount_failed",
    ),
)
