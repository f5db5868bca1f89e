"""What an installation leaves in a cluster: definitions with their owner, secrets by name alone."""

from typing import ClassVar

from sickbay.model.entity import KubeEntity, Shape
from sickbay.model.guards import WebhookClient

_OWNER = "meta.helm.sh/release-name"


class ConversionWebhook(Shape, frozen=True, gc=False):
    client_config: WebhookClient | None = None


class Conversion(Shape, frozen=True, gc=False):
    strategy: str | None = None
    webhook: ConversionWebhook | None = None


class DefinedVersion(Shape, frozen=True, gc=False):
    name: str = ""
    served: bool | None = None
    storage: bool | None = None


class DefinitionSpec(Shape, frozen=True, gc=False):
    conversion: Conversion | None = None
    versions: list[DefinedVersion] | None = None


class CustomResourceDefinition(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "CustomResourceDefinition"
    look: ClassVar[str] = "kubectl get crd -o json"

    spec: DefinitionSpec = DefinitionSpec()

    @property
    def release(self) -> str:
        """The Helm release that owns it, or an empty string."""
        return self.annotations.get(_OWNER, "")


class Secret(KubeEntity, frozen=True, gc=False):
    """A secret: that it exists, and of some which keys it has. No value is ever read.

    Only the credential of an operator tells by `ids` whose it is: client, tenant, subscription.
    """

    kind: ClassVar[str] = "Secret"
    look: ClassVar[str] = "kubectl get secrets -n {namespace} -o name"

    type: str | None = None
    # None where nobody looked.
    keys: list[str] | None = None
    ids: dict[str, str] | None = None
