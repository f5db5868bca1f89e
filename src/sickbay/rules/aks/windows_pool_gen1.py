from sickbay.model.aks import AgentPool
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Clear, Match, Risk, Rule, Severity, Step, each


@each(AgentPool)
def is_of_generation_one(pool: AgentPool, snapshot: Snapshot) -> Match | Clear | None:  # noqa: ARG001
    image = pool.node_image_version or ""
    if (pool.os_type or "").casefold() != "windows" or "2022" not in image:
        return None
    if "gen2" in image.casefold():
        return Clear(f"node pool {pool.name} is of generation 2")
    return Match(
        f"node pool {pool.name} runs {image}, an image of generation 1",
        cites=(pool.cite("properties.nodeImageVersion", image),),
    )


RULE = Rule(
    title="A Windows node pool stays on generation 1 machines, whatever is upgraded",
    severity=Severity.INFO,
    categories=(
        Category.UPGRADE,
        Category.NODES,
    ),
    detect=(is_of_generation_one,),
    why="An upgrade of version or node image keeps the generation of the virtual machines of a Windows pool. Only a new pool of Windows2022 with a generation 2 size gets it; the node image then has gen2 in its name.",
    remedy=(
        Step(
            "Add a Windows pool with a generation 2 size, move the workload, and delete this one.",
            run=(
                "az",
                "aks",
                "nodepool",
                "add",
                "-g",
                "{resource_group}",
                "--cluster-name",
                "{cluster}",
                "-n",
                "<new-pool>",
                "--os-type",
                "Windows",
                "--os-sku",
                "Windows2022",
                "--node-vm-size",
                "<size>",
            ),
            risk=Risk.SAFE,
            verify="az aks nodepool show --query nodeImageVersion wants gen2 in the name",
        ),
    ),
    docs=(
        "https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/create-upgrade-delete/nodepools-not-upgraded-to-gen2-during-node-image-upgrade",
    ),
)
