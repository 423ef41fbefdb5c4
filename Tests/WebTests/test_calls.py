"""N4: the parties of an order call each other in two browsers whose microphones are played, one of them through a real relay."""

import os
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from person import CHROMIUM, Person
from test_chat import BOTH, LATE, open_talk, parcel_in_two_browsers

# All voices go through the relay, as those of two phones do that find no direct way, and the test can ask how they go.
RELAYED = """
const Peer = RTCPeerConnection;
window.peers = [];
window.RTCPeerConnection = function (settings) {
  const made = new Peer({ ...settings, iceTransportPolicy: "relay" });
  window.peers.push(made);
  return made;
};
"""
# What has been heard by the last call of the page, and the kind of this browser's end of the way.
HEARD = """async () => {
  const found = [...(await window.peers.at(-1).getStats()).values()];
  const way = found.find((one) => one.type === "candidate-pair" && one.nominated && one.state === "succeeded");
  const voice = found.find((one) => one.type === "inbound-rtp" && one.kind === "audio");
  return { bytes: voice?.bytesReceived ?? 0, kind: found.find((one) => one.id === way?.localCandidateId)?.candidateType ?? "" };
}"""
REFUSED = 'navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "NotAllowedError"));'

CALL = ("Call Karin Lund", "الاتصال بـ")
ANSWER, DECLINE, HANG_UP = ("Answer", "رد"), ("Decline", "رفض"), ("Hang up", "إنهاء المكالمة")


@pytest.fixture(scope="module")
def browser(playwright):
    """One whose microphone is a tone, and which talks to the same machine."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[
        "--no-sandbox", "--disable-dev-shm-usage", "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
        "--allow-loopback-in-peer-connection", "--autoplay-policy=no-user-gesture-required"])
    yield browser
    browser.close()


@pytest.fixture
def relay(tmp_path):
    """A coturn at the port that the deployment tells browsers, with the secret by which it knows whom notifications sends."""
    program = shutil.which("turnserver")
    assert program, "coturn is missing: scripts/install --web-tests"
    port = os.environ["SERAI_RELAY_PORT"]
    settings = tmp_path / "turnserver.conf"
    settings.write_text("\n".join([
        f"listening-port={port}", "listening-ip=127.0.0.1", "relay-ip=127.0.0.1", "use-auth-secret", "realm=serai",
        f"static-auth-secret={os.environ['SERAI_RELAY_SECRET']}", "allow-loopback-peers", "no-cli", "no-tls", "no-dtls",
        f"userdb={tmp_path}/turndb", f"pidfile={tmp_path}/turnserver.pid", "log-file=stdout", "verbose"]))
    settings.chmod(0o600)
    log = tmp_path / "turnserver.log"
    with log.open("w") as output:
        process = subprocess.Popen([program, "-c", str(settings)], stdout=output, stderr=subprocess.STDOUT)
    yield log
    process.terminate()
    process.wait(timeout=20)


def ready(*persons: Person) -> None:
    for person in persons:
        person.context.grant_permissions(["geolocation", "microphone"])


def sheet(person: Person):
    return person.page.get_by_role("dialog")


def says(person: Person, words) -> None:
    expect(sheet(person).get_by_text(person.text(words)).first).to_be_visible(timeout=LATE)


def press(person: Person, words) -> None:
    sheet(person).get_by_role("button", name=person.text(words, exact=True)).last.click()


def call(person: Person) -> None:
    person.tap(CALL, "button")


def wait_until_heard(person: Person) -> dict:
    for _ in range(300):
        found = person.page.evaluate(HEARD)
        if found["bytes"] > 2000 and found["kind"]:
            return found
        person.page.wait_for_timeout(100)  # what a connection has counted is no event of the page
    raise AssertionError(f"{person.name} heard nothing: {found}")


def test_N4_P8_a_call_rings_is_taken_and_both_hear_each_other_through_the_relay(people, tmp_path, relay):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    ready(owner, carrier)
    # What is at the top of a page holds from its next load on.
    for person in (owner, carrier):
        person.page.add_init_script(RELAYED)
        person.page.reload()
    call(owner)
    says(owner, "It rings")
    says(carrier, "Olof Berg is calling")
    press(carrier, ANSWER)
    for person in (owner, carrier):
        expect(sheet(person).get_by_role("timer")).to_be_visible(timeout=LATE)
        assert wait_until_heard(person)["kind"] == "relay"
        # Neither sees the other's number.
        assert not any(number in sheet(person).inner_text() for number in (owner.mobile, carrier.mobile))
    owner.shot("call-talking", [360])
    press(owner, "Mute")
    says(owner, "You are not heard")
    press(owner, "Unmute")
    press(carrier, HANG_UP)
    says(owner, "The call is over")
    expect(sheet(carrier)).to_have_count(0)
    # What is read by then goes by itself.
    expect(sheet(owner)).to_have_count(0)
    assert "ALLOCATE" in relay.read_text()


@BOTH
def test_N4_a_call_is_declined(people, tmp_path, language):
    owner, carrier = parcel_in_two_browsers(people, tmp_path, language)
    ready(owner, carrier)
    open_talk(owner, "Karin Lund")
    call(owner)
    says(carrier, ("Olof Berg is calling", "Olof Berg يتصل بك"))
    carrier.shot("call-ringing", [360])
    press(carrier, DECLINE)
    expect(sheet(carrier)).to_have_count(0)
    says(owner, ("Karin Lund cannot talk now", "Karin Lund لا يستطيع التحدث الآن"))
    owner.shot("call-declined", [360])


def test_N4_N1_a_call_that_is_given_up_is_missed_and_stands_in_the_inbox(people, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    ready(owner, carrier)
    call(owner)
    says(carrier, "Olof Berg is calling")
    press(owner, HANG_UP)
    says(carrier, "You missed a call from Olof Berg")
    carrier.go("inbox")
    carrier.see("Missed call from Olof Berg")
    # A page that was not there when it began to ring rings, too.
    call(owner)
    says(owner, "It rings")
    carrier.page.reload()
    says(carrier, "Olof Berg is calling")
    press(carrier, DECLINE)


def test_N4_who_allows_no_microphone_is_told_so_and_nobody_is_called(people, tmp_path):
    owner, carrier = parcel_in_two_browsers(people, tmp_path)
    owner.page.add_init_script(REFUSED)
    owner.page.reload()
    call(owner)
    says(owner, "The microphone cannot be used")
    owner.shot("call-no-microphone", [360])
    press(owner, "Close")
    expect(sheet(owner)).to_have_count(0)
    expect(sheet(carrier)).to_have_count(0)
