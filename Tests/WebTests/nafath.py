"""The sign-in of Saudi Arabia, as the sandbox plays it."""

import json
import re
import urllib.request
import uuid

from person import Person


def sign_in_with_nafath(person: Person, job: str | None = None, gender: str = "female", shots: bool = False) -> None:
    """Somebody whom Nafath knows signs in there, and is back in the app. Its page lists everybody: the name has to be nobody else's."""
    known = f"web{uuid.uuid4().hex[:10]}"
    first, last = person.name.split(" ", 1)
    body = {"nationalID": f"1{uuid.uuid4().int % 10**9:09}", "firstName": first, "lastName": last, "mobile": person.mobile, "gender": gender}
    if job:
        body["jobTitle"] = job
    request = urllib.request.Request(
        f"{person.sandbox.url}/sandbox/nafath/people/{known}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method="PUT")
    urllib.request.urlopen(request).close()
    person.go()
    person.tap(("Sign in with Nafath", "الدخول عبر نفاذ"))
    person.tap(re.compile(f"{first} {last}|{known}"))
    if shots:
        person.at(("Terms", "الشروط"))
        person.shot("terms")
    person.accept_terms()
    person.skip_tour()
