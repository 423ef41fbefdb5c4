import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { isOnline } from "../../../shared/api/connection";
import { Problem, textOf } from "../../../shared/api/problem";
import { Cell } from "../../../shared/cell";
import { keepAwake, ring } from "../../../shared/device/attention";
import { invalidate } from "../../../shared/resources";
import { newId } from "../talk/sending";
import { Call, canTalk, device, Voice, Way } from "./voice";
import { words } from "./words";

/** A call on the screen. */
export interface Shown {
  /** Without one the microphone is asked for first. */
  call?: string;
  name: string;
  /** `rings`: here, and waits for an answer. `over`: `says` tells why, for a moment. */
  state: "asking" | "calling" | "rings" | "connecting" | "talking" | "over";
  says?: string;
  way: Way;
  isMuted: boolean;
  /** When it was taken. */
  since?: number;
  voice?: MediaStream;
}

export const shown = new Cell<Shown | undefined>(undefined);

const aliveSeconds = 15;
let voice: Voice | undefined;
let ends: (() => void)[] = [];
/** Counts calls: what was awaited may come when another one is on the screen. */
let turn = 0;

const change = (change: Partial<Shown>): void => {
  const now = shown.get();
  if (now) shown.set({ ...now, ...change });
};
const isRunning = (): boolean => ![undefined, "over"].includes(shown.get()?.state);

function every(seconds: number, work: () => void): void {
  const timer = setInterval(work, seconds * 1000);
  ends.push(() => clearInterval(timer));
}

function stop(): void {
  ends.forEach((end) => end());
  ends = [];
  voice?.close();
  voice = undefined;
}

function show(name: string, state: Shown["state"], call?: string): number {
  stop();
  turn += 1;
  shown.set({ name, state, call, way: "new", isMuted: false });
  return turn;
}

/** Says for a moment how it ended; what went wrong, until it is read. */
function finish(says: string, isFault = false): void {
  stop();
  change({ state: "over", says, voice: undefined });
  const mine = turn;
  if (!isFault) setTimeout(() => { if (mine === turn) shown.set(undefined); }, 8000);
}

export function close(): void {
  turn += 1;
  stop();
  shown.set(undefined);
}

/** The reason for which a call is over; nothing while it runs. */
function endOf(call: Call): string | undefined {
  const { name } = call.with;
  switch (call.state) {
    case "ringing": return undefined;
    case "taken": return call.here ? undefined : words.elsewhere;
    case "declined": return call.outgoing ? words.declined(name) : words.ended;
    case "missed": return call.outgoing ? words.missed(name) : words.youMissed(name);
    case "closed": return words.closed;
    default: return words.ended;
  }
}

/** Takes what the API says of the call on the screen. */
function hear(call: Call): void {
  const now = shown.get();
  if (now?.call !== call.call || now.state === "over") return;
  const end = endOf(call);
  if (end !== undefined) return finish(end);
  if (call.state === "taken" && (now.state === "calling" || now.state === "rings")) {
    change({ state: now.way === "connected" ? "talking" : "connecting", since: Date.now() });
  }
  void voice?.hear(call);
}

async function look(call: string): Promise<void> {
  const found = await api.get("/notifications/v1/calls/{id}", { id: call, device }).catch(() => undefined);
  if (found) hear(found);
}

/** Says each 15 seconds that this page is there, and hears what a stream that was cut off has not told. */
function stay(call: string): void {
  every(aliveSeconds, () => {
    api.put("/notifications/v1/calls/{id}/alive", { id: call }, { device }).then(hear, (error: unknown) => {
      if (error instanceof Problem && error.status !== 429) void look(call);
    });
  });
  ends.push(isOnline.follow(() => void look(call)), keepAwake());
}

const microphone = (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } });

const release = (stream: MediaStream): void => stream.getTracks().forEach((track) => track.stop());

async function connect(call: Call, own: MediaStream, mine: number): Promise<void> {
  const opened = await Voice.open(call.call, own, (heard) => change({ voice: heard }), (way) => {
    if (way === "failed") void hangUp(words.noWay);
    else change({ way, ...(way === "connected" && shown.get()?.state === "connecting" ? { state: "talking" as const } : {}) });
  });
  if (mine !== turn || !isRunning()) return opened.close();
  voice = opened;
  stay(call.call);
  if (call.outgoing) await opened.offer();
  hear(call);
  // What the other one has said meanwhile.
  await look(call.call);
}

/** Calls the other one of a conversation. */
export async function begin(conversation: string, name: string): Promise<void> {
  if (isRunning()) return;
  const mine = show(name, "asking");
  if (!canTalk()) return finish(words.noVoice, true);
  let own: MediaStream | undefined;
  try {
    own = await microphone().catch(() => undefined);
    if (mine !== turn) return own && release(own);
    if (!own) return finish(words.noMicrophone, true);
    change({ state: "calling" });
    const id = newId();
    change({ call: id });
    const call = await api.put("/notifications/v1/conversations/{id}/calls/{call}", { id: conversation, call: id }, { device });
    if (mine !== turn) {
      release(own);
      await api.put("/notifications/v1/calls/{id}/ended", { id: call.call }, { device });
      return;
    }
    // The other one may have called at the same time: then that call is this one.
    change({ call: call.call, name: call.with.name });
    await connect(call, own, mine);
  } catch (error) {
    if (own && !voice) release(own);
    if (mine === turn) await hangUp(textOf(error));
  }
}

export async function answer(): Promise<void> {
  const id = shown.get()?.call;
  if (!id || shown.get()?.state !== "rings") return;
  const mine = turn;
  let own: MediaStream | undefined;
  try {
    own = canTalk() ? await microphone().catch(() => undefined) : undefined;
    if (mine !== turn || shown.get()?.state !== "rings") return own && release(own);
    // It goes on ringing, here and on other devices.
    if (!own) return change({ says: canTalk() ? words.noMicrophone : words.noVoice });
    ends.forEach((end) => end());
    ends = [];
    change({ state: "connecting", says: undefined });
    const call = await api.put("/notifications/v1/calls/{id}/answered", { id }, { device });
    change({ since: Date.now() });
    invalidate("inbox");
    await connect(call, own, mine);
  } catch (error) {
    if (own && !voice) release(own);
    if (mine === turn) await hangUp(textOf(error));
  }
}

export async function decline(): Promise<void> {
  const id = shown.get()?.call;
  close();
  if (id) await api.put("/notifications/v1/calls/{id}/declined", { id }, { device }).catch(() => undefined);
}

/** @param says - why, if not by the person. */
export async function hangUp(says?: string): Promise<void> {
  const id = shown.get()?.call;
  if (says) finish(says, true);
  else close();
  if (id) await api.put("/notifications/v1/calls/{id}/ended", { id }, { device }).catch(() => undefined);
}

export function mute(on: boolean): void {
  voice?.mute(on);
  change({ isMuted: on });
}

/** Takes a call that rings for this account, whichever device hears of it first. */
function takeUp(call: Call): void {
  if (call.state !== "ringing" || call.outgoing || isRunning()) return;
  show(call.with.name, "rings", call.call);
  ring();
  every(3, ring);
  // The stream tells the end; whoever missed it is told by the clock.
  const left = call.ringsUntil ? new Date(call.ringsUntil).getTime() - Date.now() : 45_000;
  const timer = setTimeout(() => void look(call.call), Math.max(0, left) + 2000);
  ends.push(() => clearTimeout(timer));
}

/** An event of the stream. */
export async function heard(event: Notifications.CallEvent): Promise<void> {
  // The item that says that it rings is gone when it does not ring any more.
  if (event.state !== "taken") invalidate("inbox");
  if (shown.get()?.call === event.call) return look(event.call);
  if (event.state !== "ringing" || isRunning()) return;
  const call = await api.get("/notifications/v1/calls/{id}", { id: event.call, device }).catch(() => undefined);
  if (call) takeUp(call);
}

/** A call that rang before this page was there. */
export async function lookForCalls(): Promise<void> {
  const running = await api.get("/notifications/v1/calls", { device }).catch(() => undefined);
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  for (const call of running?.items ?? []) {
    // Its voices went with the page before this one. (A copied tab has the same name, and is no reload.)
    if (call.here && entry?.type === "reload" && !isRunning()) {
      await api.put("/notifications/v1/calls/{id}/ended", { id: call.call }, { device }).catch(() => undefined);
    } else takeUp(call);
  }
}
