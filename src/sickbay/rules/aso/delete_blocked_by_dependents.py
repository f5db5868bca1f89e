from sickbay.model.aso import AsoObject
from sickbay.model.aso_codes import IN_USE, OTHERS, answered, said, told
from sickbay.model.aso_spec import references_of
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import (
    TYPICAL,
    Category,
    Clear,
    Match,
    Risk,
    Rule,
    Severity,
    Signature,
    Step,
    each,
)


@each(AsoObject, weight=TYPICAL)
def others_still_use_it(thing: AsoObject, snapshot: Snapshot) -> Match | Clear | None:
    if not thing.metadata.deletion_timestamp or not thing.is_of_aso:
        return None
    for other in snapshot.in_namespace(AsoObject, thing.namespace):
        if other.metadata.deletion_timestamp or other.ref == thing.ref:
            continue
        needs = ((need.kind, need.name) for need in references_of(other.wanted))
        if (thing.object_kind, thing.name) in needs or other.owner_in(snapshot) == thing:
            return Match(
                f"{thing.object_kind} {thing.name} is to be deleted since {thing.metadata.deletion_timestamp}, and {other.object_kind} {other.name} still uses it",
                facts={"blocked": thing.name, "nested": other.name},
                cites=(
                    thing.cite("metadata.deletionTimestamp", thing.metadata.deletion_timestamp),
                    other.cite("spec", f"refers to {thing.name}"),
                ),
                at=thing.metadata.deletion_timestamp,
            )
    snapshot.require(AsoObject, thing.namespace)
    return Clear(f"no object of the namespace uses {thing.name}")


RULE = Rule(
    title="Azure refuses to delete a resource that others still depend on (linked servers, nested resources)",
    severity=Severity.ERROR,
    categories=(Category.CREATION,),
    detect=(
        others_still_use_it,
        Signature(
            pattern=r"Cannot delete '?(?P<blocked>[\w.-]+)'? since it has linked servers",
            says="{blocked} cannot be deleted: it has linked servers",
            sample="BadRequest: Cannot delete 'redis2' since it has linked servers associated with it. Please remove the linked server(s) and then try deleting the cache.",
            near_miss="Cannot delete 'redis2': it does not exist",
        ),
        Signature(
            pattern=r"\bCannotDeleteResource\b(?:.{0,160}?nested resource IDs include: '(?P<nested>[^']{1,300})')?|Cannot delete resource while nested resources exist|database principal owns a \w+(?: \w+)? in the database, and cannot be dropped|role \W{0,2}\S{1,80} cannot be dropped because some objects depend on it|This resource is still associated with a route|can ?not be deleted since it is still allocated to resource",
            says="a resource cannot be deleted: {nested} belongs to it and still exists",
            sample="CannotDeleteResource: Cannot delete resource while nested resources exist. Some existing nested resource IDs include: 'Microsoft.Network/privateDnsZones/a.com/virtualNetworkLinks/link1'. Please delete all nested resources before deleting this resource.",
            near_miss="Deleted resource and all nested resources",
        ),
        Signature(
            pattern=r"(?:" + told(IN_USE) + r")(?P<blocked>)(?P<nested>)",
            says="it cannot be deleted while something uses it ({code})",
            sample="thing1 False Warning VaultNotEmpty Delete its content first.",
            near_miss="thing1 False Info Reconciling Delete its content first.",
            weight=TYPICAL,
            passes=True,
        ),
        Signature(
            pattern=r"(?:"
            + said(
                r"(?i:(?:cannot|can't|could not|can not) be (?:deleted|removed) (?:because|since|as|while|until|due)|(?:still|currently) (?:in use|being used|referenced|attached|associated|linked)|(?:remove|delete|detach|disassociate) .{0,80}? (?:before|and try|first))"
            )
            + r")(?P<blocked>)(?P<nested>)",
            says="it cannot be deleted while something uses it",
            sample="sql1 False Warning ServerInFailoverGroup The server 'sql1' cannot be deleted because it is part of a failover group 'fg1'.",
            near_miss="sql1 True Succeeded The server was deleted",
            weight=TYPICAL,
            unless=r"(?i)lock|immutab|legal hold|policy|being deleted|backup|not found|linked servers|nested resources",
            passes=True,
        ),
        Signature(
            pattern=r"(?:" + answered(IN_USE) + r")(?P<blocked>)(?P<nested>)",
            says="it cannot be deleted while others belong to it ({code})",
            sample="performing CreateOrUpdate: unexpected status 400 (400 Bad Request) with error: TeapotCannotBeDeleted: There is tea in it.",
            near_miss="performing Delete: the teapot was deleted.",
            weight=TYPICAL,
            unless=OTHERS,
            vague=True,
            passes=True,
        ),
    ),
    why="A Redis cache with linked servers cannot be deleted, nor a resource below which nested resources exist (CannotDeleteResource). ASO repeats the deletion and its finalizer holds the object until the dependents are gone.",
    remedy=(
        Step(
            "List what is left in the group.",
            run=(
                "az",
                "resource",
                "list",
                "-g",
                "{resource_group}",
                "-o",
                "table",
            ),
            risk=Risk.READ,
        ),
        Step(
            "Remove what depends on it first: for Redis the linked servers (az redis server-link delete), else the nested resources that the message names. In ASO delete those objects too.",
            risk=Risk.DESTRUCTIVE,
            verify="kubectl get azure -n {namespace} no longer lists the object",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/azure/azure-cache-for-redis/cache-how-to-geo-replication",
        "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    ),
    leads_to=(
        "kubernetes.finalizer_blocks_deletion",
        "aso.not_ready",
        "aks.request_refused",
        "aks.deployment_failed",
        "aso.request_refused",
        "aso.invalid_value",
    ),
    ask="az resource list -g {resource_group} -o table",
)
