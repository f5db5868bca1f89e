"""Runs every bench and prints its ratios: `make bench`."""

import subprocess
import sys
from pathlib import Path

BENCHES = (
    "startup.py",
    "scan.py",
    "big_folder.py",
    "samples.py",
    "network.py",
    "azure_estate.py",
    "kubernetes.py",
)


def main() -> int:
    here = Path(__file__).parent
    failed = 0
    for name in BENCHES:
        print(f"== {name}", flush=True)
        failed += subprocess.run([sys.executable, str(here / name)], check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
