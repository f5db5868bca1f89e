"""A world that lives: its resources, its time, its log, and the operations under way."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any, Final

from sickbay.lab.activity import Log
from sickbay.lab.bodies import Body, body_of
from sickbay.lab.machines import grown
from sickbay.lab.operations import Operations
from sickbay.lab.place import Clock, Place, now
from sickbay.lab.store import Store
from sickbay.lab.world import World
from sickbay.model.ids import arm_type

# What a subscription may use without asking for it.
_REGISTERED: Final = (
    "Microsoft.Resources Microsoft.Authorization Microsoft.ContainerService Microsoft.Compute "
    "Microsoft.Network Microsoft.Storage Microsoft.ManagedIdentity Microsoft.OperationsManagement "
    "Microsoft.OperationalInsights Microsoft.Insights Microsoft.PolicyInsights Microsoft.KeyVault "
    "Microsoft.ContainerRegistry Microsoft.Kubernetes Microsoft.KubernetesConfiguration "
    "Microsoft.ExtendedLocation Microsoft.ResourceConnector Microsoft.HybridContainerService "
    "Microsoft.HybridConnectivity Microsoft.NetworkCloud Microsoft.ManagedNetworkFabric "
    "Microsoft.AzureStackHCI Microsoft.ConnectedVMwarevSphere Microsoft.ResourceHealth "
    "Microsoft.ResourceGraph Microsoft.Capacity Microsoft.Quota Microsoft.AlertsManagement"
).split()
_MINUTES_OF_LOG: Final = 5


class Estate:
    """Everything that a simulated Azure knows, and nothing of how it is asked."""

    def __init__(self, world: World, clock: Clock = now, speed: float = 1.0) -> None:
        self.world = world
        self.clock = clock
        self.speed = speed
        self.place = Place(clock(), world.subscription_id, location=world.location)
        self.store = Store()
        self.providers = dict.fromkeys(_REGISTERED, "Registered") | dict(world.providers)
        self.answers = {
            self.place.id(short).casefold(): self.place.filled(body)
            for short, body in world.answers.items()
        }
        # How often each refusal of the world was given already.
        self.given: Counter[int] = Counter()
        self.operations = Operations(self)
        self.log = Log(self.place, timedelta(minutes=_MINUTES_OF_LOG / speed))
        for given in world.add:
            self.add(self.place.filled(dict(given)))
        for id in world.grow:
            grown(self, self.place.id(id))
        for event in world.activity:
            self.log.tell(self.place.filled(dict(event)))

    @property
    def now(self) -> datetime:
        return self.clock()

    def add(self, given: Body) -> None:
        """Keep a resource in its recorded form; its group comes to be with it."""
        id = str(given["id"])
        self.store.put(id, self.whole(id, given))
        view = f"{id}/instanceView"
        if arm_type(id).casefold() in _WITH_VIEWS and view not in self.store:
            self.store.put(view, self.whole(view, {}))
        group, found, _ = id.partition("/providers/")
        if found and "/resourcegroups/" in group.casefold() and group not in self.store:
            self.store.put(group, self.whole(group, {}))

    def whole(self, id: str, given: Body) -> Body:
        """A body in the recorded form of its type."""
        return body_of(id, given, self.place)

    def settle(self) -> None:
        """Let everything happen that should have happened by now."""
        self.operations.settle(self.now)

    def state_of(self, id: str) -> str:
        found = self.store.get(id) or {}
        properties: Any = found.get("properties")
        return str(properties.get("provisioningState", "")) if isinstance(properties, dict) else ""


_WITH_VIEWS: Final = frozenset(
    {
        "microsoft.compute/virtualmachines",
        "microsoft.compute/virtualmachinescalesets/virtualmachines",
    }
)
