import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { newId } from "../talk/sending";

export type Call = Notifications.Call;

/** The name of this page among the devices of the account; a page that is loaded anew is the same one. */
export const device: string = (() => {
  const key = "serai-calling-device";
  const known = sessionStorage.getItem(key);
  if (known) return known;
  const made = newId();
  sessionStorage.setItem(key, made);
  return made;
})();

export const canTalk = (): boolean => typeof RTCPeerConnection !== "undefined" && navigator.mediaDevices !== undefined;

/** The states of the way between the two browsers. */
export type Way = "new" | "connected" | "weak" | "failed";

/** The voices of one call: this browser's way to the other one. What the two browsers tell each other goes through the API. */
export class Voice {
  private readonly peer: RTCPeerConnection;
  private readonly seen = new Set<number>();
  private gathered: string[] = [];
  private sent = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** One thing after the other: descriptions go before candidates. */
  private work: Promise<unknown> = Promise.resolve();

  private constructor(private readonly call: string, servers: RTCIceServer[], private readonly microphone: MediaStream,
    onVoice: (voice: MediaStream) => void, onWay: (way: Way) => void) {
    this.peer = new RTCPeerConnection({ iceServers: servers });
    for (const track of microphone.getAudioTracks()) this.peer.addTrack(track, microphone);
    this.peer.ontrack = ({ streams, track }) => onVoice(streams[0] ?? new MediaStream([track]));
    this.peer.onicecandidate = ({ candidate }) => this.gather(candidate?.candidate ?? "");
    this.peer.onconnectionstatechange = () => {
      const state = this.peer.connectionState;
      if (state === "connected" || state === "failed") onWay(state);
      if (state === "disconnected") onWay("weak");
    };
  }

  /** For a call that this device has begun or taken. */
  static async open(call: string, microphone: MediaStream, onVoice: (voice: MediaStream) => void, onWay: (way: Way) => void): Promise<Voice> {
    const relay = await api.get("/notifications/v1/calls/{id}/relay", { id: call, device });
    return new Voice(call, relay.servers, microphone, onVoice, onWay);
  }

  private isAnswered = false;

  /** As the caller. */
  async offer(): Promise<void> {
    await this.peer.setLocalDescription(await this.peer.createOffer());
    await this.describe();
  }

  /** Takes what the other browser has said so far. */
  hear(call: Call): Promise<unknown> {
    this.work = this.work.then(async () => {
      if (this.peer.signalingState === "closed" || !call.description) return;
      if (!this.peer.remoteDescription) {
        await this.peer.setRemoteDescription({ type: call.outgoing ? "answer" : "offer", sdp: call.description });
      }
      // Until it has arrived: it can be lost on the way.
      if (!call.outgoing && !this.isAnswered) {
        if (!this.peer.localDescription) await this.peer.setLocalDescription(await this.peer.createAnswer());
        await this.describe();
        this.isAnswered = true;
      }
      for (const { number, candidate } of call.candidates) {
        if (this.seen.has(number)) continue;
        this.seen.add(number);
        // One that this browser does not understand is one way less.
        await this.peer.addIceCandidate({ candidate, sdpMLineIndex: 0 }).catch(() => undefined);
      }
    }).catch((error: unknown) => console.error(error));
    return this.work;
  }

  mute(on: boolean): void {
    for (const track of this.microphone.getAudioTracks()) track.enabled = !on;
  }

  /** The microphone's light goes out at once. */
  close(): void {
    clearTimeout(this.timer);
    this.peer.onicecandidate = this.peer.onconnectionstatechange = this.peer.ontrack = null;
    this.peer.close();
    for (const track of this.microphone.getTracks()) track.stop();
  }

  private describe(): Promise<Call> {
    const description = this.peer.localDescription?.sdp ?? "";
    return api.put("/notifications/v1/calls/{id}/description", { id: this.call }, { device, description });
  }

  private gather(candidate: string): void {
    this.gathered.push(candidate);
    this.timer ??= setTimeout(() => void this.send(), 150);
  }

  /** Some at a time. They have numbers, so what may not have arrived is sent again. */
  private async send(): Promise<void> {
    const candidates = this.gathered.slice(0, 20);
    const first = this.sent;
    let isOver = false;
    try {
      await api.put("/notifications/v1/calls/{id}/candidates", { id: this.call }, { device, first, candidates });
      this.sent += candidates.length;
      this.gathered = this.gathered.slice(candidates.length);
    } catch (error) {
      isOver = error instanceof Problem && error.status !== 429 && error.status < 500;
    }
    const goesOn = !isOver && this.gathered.length > 0 && this.sent < 60 && this.peer.signalingState !== "closed";
    this.timer = goesOn ? setTimeout(() => void this.send(), 500) : undefined;
  }
}
