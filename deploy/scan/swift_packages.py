"""swift_packages FILE: lists what the services are built with. Nobody keeps a list of faults that is read by a program: look at each
package's page now and then."""

import json
import sys

with open(sys.argv[1]) as file:
    pins = json.load(file)["pins"]
print(f"\nSwift packages: {len(pins)}, not tracked, pinned to these versions")
for pin in pins:
    print(f"  {pin['identity']:32}{pin['state'].get('version', pin['state']['revision'])}")
