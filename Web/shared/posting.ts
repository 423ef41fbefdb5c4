import { useEffect } from "preact";
import { api } from "./api/client";
import { isOnline } from "./api/connection";
import { NoConnection } from "./api/problem";
import { Cell } from "./cell";
import { keepAwake } from "./device/attention";
import { currentPosition, Fix, metresBetween, NoPosition, watchPosition } from "./device/position";
import { session } from "./session";

/**
 * Positions of a provider, posted while a page is open: at most one a second, and at rest one in twelve. Without a connection
 * one in five seconds is kept, and sent in their order when it is back. The screen stays awake meanwhile.
 */
export const posting = new Cell<{ isOn: boolean; last?: Fix; error?: NoPosition }>({ isOn: false });

let users = 0;
let stop: (() => void) | undefined;
let kept: Fix[] = [];
/** Whose positions are kept: nobody else posts them. */
let owner: string | undefined;
let lastSent: Fix | undefined;
let isSending = false;

async function send(fix: Fix): Promise<void> {
  await api.post("/dispatch/v1/positions", {}, {
    latitude: fix.latitude, longitude: fix.longitude, accuracyMetres: fix.accuracyMetres, at: new Date(fix.at).toISOString(),
  });
}

/** Sends what is kept, the oldest first. While one is sent, newer ones may take the place of the oldest: it is known by itself, not by its place. */
async function flush(): Promise<void> {
  if (isSending) return;
  isSending = true;
  let next: Fix | undefined;
  const forget = (): void => {
    kept = kept.filter((one) => one !== next);
  };
  try {
    while ((next = kept[0])) {
      await send(next);
      forget();
    }
  } catch (error) {
    // What is refused (too old, not a provider any more) is not sent again.
    if (!(error instanceof NoConnection)) forget();
  }
  isSending = false;
}

function take(fix: Fix): void {
  posting.set({ isOn: true, last: fix });
  const since = lastSent ? fix.at - lastSent.at : Infinity;
  const moved = lastSent ? metresBetween(fix, lastSent) : Infinity;
  const pause = isOnline.get() ? (moved < 10 ? 11_000 : 1000) : 5000;
  if (since < pause) return;
  lastSent = fix;
  kept = [...kept, fix].slice(-200);
  void flush();
}

/**
 * Where the phone is at this moment. Some phones answer only once they have moved; one that is watched, and has said nothing for so
 * long, neither another place nor that it does not know it, is where it was.
 */
async function placeNow(patience: number): Promise<Fix | undefined> {
  const found = await currentPosition({ maximumAge: 0, timeout: patience }).catch(() => undefined);
  const { last, error } = posting.get();
  return found ?? (last && !error ? { ...last, at: Date.now() } : undefined);
}

function start(): void {
  if (owner !== session.get().account) kept = [];
  owner = session.get().account;
  const letSleep = keepAwake();
  posting.set({ isOn: true });
  const unwatch = watchPosition(take, (error) => posting.set({ ...posting.get(), error }));
  // A phone that lies still tells nothing: its place stays fresh all the same.
  const still = setInterval(() => {
    if (isOnline.get() && Date.now() - (lastSent?.at ?? 0) >= 11_000) void placeNow(3000).then((fix) => { if (fix && stop) take(fix); });
  }, 12_000);
  stop = () => {
    letSleep();
    unwatch();
    clearInterval(still);
    lastSent = undefined;
    posting.set({ isOn: false });
  };
}

/**
 * Tells where one is at this moment, before something is said that the service believes only of somebody who is there. Whoever posts no
 * positions tells nothing.
 */
export async function tellPlace(): Promise<void> {
  const fix = stop && isOnline.get() ? await placeNow(1000) : undefined;
  if (!fix) return;
  lastSent = fix;
  await send(fix).catch(() => undefined);
}

isOnline.follow(() => { if (isOnline.get() && stop) void flush(); });

/** Posts positions as long as the component is shown and `isWanted`. */
export function usePosting(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    if (users++ === 0) start();
    return () => {
      if (--users === 0) {
        stop?.();
        stop = undefined;
      }
    };
  }, [isWanted]);
}
