"""python_packages NAME: reads pip-audit's answer for a file of requirements, and tells it. Ends with 1 for a fault that has a remedy."""

import json
import sys


def main(name: str) -> int:
    packages = json.load(sys.stdin)["dependencies"]
    audited = [package for package in packages if "vulns" in package]
    if not audited:
        print(f"{name}: not audited, PyPI's list of known faults was not reachable")
        return 0
    faults = [(package, fault) for package in audited for fault in package["vulns"]]
    print(f"{name}: {len(audited)} of {len(packages)} packages audited, {len(faults)} known faults")
    for package, fault in faults:
        remedy = ", ".join(fault["fix_versions"])
        print(f"  {package['name']} {package['version']}: {fault['id']}, {f'mended in {remedy}' if remedy else 'without a remedy'}")
    return 1 if any(fault["fix_versions"] for _, fault in faults) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
