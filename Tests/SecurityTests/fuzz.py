"""fuzz.py MINUTES SEED: what Schemathesis makes of each OpenAPI document, sent as nobody, as a customer, as a carrier and as a market's admin.

Nothing may be a failure of a service, and each answer has the form that its document gives it. All have the same time, so a seed
repeats what is sent, as far as the time lets it. A report for each is left in .build/fuzz.
"""

import os
import subprocess
import sys
from pathlib import Path

import documents
from town import Town

REPORTS = documents.ROOT / ".build/fuzz"
CHECKS = "not_a_server_error,response_schema_conformance"
# A stream does not end, and whoever logs out or asks for the deletion of the account is nobody afterwards.
WITHOUT = ["openStream", "logOut", "logOutEverywhere", "endSession", "askDeletion", "changePassword", "removeSecondFactor"]


def fuzz(service: str, who: str, token: str | None, seconds: int, seed: str) -> int:
    report = REPORTS / f"{service}-{who}.txt"
    command = [
        Path(sys.executable).with_name("st"), "--config-file", Path(__file__).with_name("schemathesis.toml"), "--no-color", "run", documents.path(service),
        "--url", os.environ["SERAI_URL"], "--checks", CHECKS, "--phases", "coverage,fuzzing", "--max-time", str(seconds), "--seed", seed,
        "--continue-on-failure", "--rate-limit", "auto", "--suppress-health-check", "all", "--warnings", "off",
    ]
    for operation in WITHOUT:
        command += ["--exclude-operation-id", operation]
    variables = os.environ | {"SERAI_FUZZ_AUTHORIZATION": f"Bearer {token}" if token else ""}
    with report.open("w") as file:
        # What is being shrunk when the time is over takes a while.
        return subprocess.run(command, env=variables, stdout=file, stderr=subprocess.STDOUT, timeout=seconds + 600, cwd=REPORTS).returncode


def main(minutes: int, seed: str) -> int:
    REPORTS.mkdir(parents=True, exist_ok=True)
    town = Town()
    callers = {"nobody": None, "customer": town.stranger, "carrier": town.provider, "admin": town.steward}
    # A token is good for ten minutes, so no round is longer than eight.
    seconds = max(5, min(480, minutes * 60 // (len(callers) * len(documents.SERVICES))))
    failed = []
    for service in documents.SERVICES:
        for who, person in callers.items():
            code = fuzz(service, who, person.token if person else None, seconds, seed)
            print(f"{service:14} {who:10} {'well' if code == 0 else f'failed ({code}), see .build/fuzz/{service}-{who}.txt'}", flush=True)
            if code:
                failed.append(f"{service}-{who}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2]))
