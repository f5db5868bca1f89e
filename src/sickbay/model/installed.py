"""What an installation leaves in a cluster: definitions with their owner, secrets by name alone."""

from typing import ClassVar

from sickbay.model.entity import KubeEntity

_OWNER = "meta.helm.sh/release-name"


class CustomResourceDefinition(KubeEntity, frozen=True, gc=False):
    kind: ClassVar[str] = "CustomResourceDefinition"
    look: ClassVar[str] = "kubectl get crd -o json"

    @property
    def release(self) -> str:
        """The Helm release that owns it, or an empty string."""
        return self.annotations.get(_OWNER, "")


class Secret(KubeEntity, frozen=True, gc=False):
    """A secret: that it exists. What is in it is never read."""

    kind: ClassVar[str] = "Secret"
    look: ClassVar[str] = "kubectl get secrets -n {namespace} -o name"
