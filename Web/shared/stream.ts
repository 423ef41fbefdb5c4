import type { Notifications } from "api-types";
import { noteAnswer } from "./api/connection";
import { Cell } from "./cell";
import { invalidate, readAnew } from "./resources";
import { accessToken, renewRoles, session } from "./session";

export interface StreamEvents {
  order: Notifications.OrderEvent;
  payment: Notifications.PaymentEvent;
  inbox: Notifications.InboxItem;
  position: Notifications.PositionEvent;
  message: Notifications.MessageEvent;
  "message-deleted": Notifications.MessageDeletedEvent;
  marks: Notifications.MarksEvent;
  typing: Notifications.TypingEvent;
  waiting: Notifications.WaitingEvent;
  call: Notifications.CallEvent;
  "friend-place": Notifications.FriendPlaceEvent;
  /** The stream is open again; what was told without a number meanwhile, such as places, was not heard. */
  ready: { missed: boolean };
}
type Kind = keyof StreamEvents;
type Reader<K extends Kind> = (event: StreamEvents[K]) => void;

const readers = new Map<string, Set<Reader<never>>>();

/** Calls the reader for each event of the kind, until the returned function is called. Resources with the tags `order:ID`,
 * `orders`, `payment:ID`, `wallet`, `inbox`, `talk:ID` and `talks` are read again by themselves. */
export function onStream<K extends Kind>(kind: K, reader: Reader<K>): () => void {
  const own = readers.get(kind) ?? new Set();
  readers.set(kind, own.add(reader as Reader<never>));
  return () => own.delete(reader as Reader<never>);
}

/** Where the provider of each order is, as last heard. */
export const positions = new Map<string, Cell<Notifications.PositionEvent | undefined>>();
export function positionOf(order: string): Cell<Notifications.PositionEvent | undefined> {
  const found = positions.get(order) ?? new Cell<Notifications.PositionEvent | undefined>(undefined);
  positions.set(order, found);
  return found;
}

function deliver(kind: string, text: string): void {
  readers.get(kind)?.forEach((reader) => reader(JSON.parse(text) as never));
}

onStream("order", (event) => invalidate(`order:${event.order}`, "orders"));
onStream("payment", (event) => invalidate(...(event.order ? [`payment:${event.order}`, `order:${event.order}`] : []), "wallet"));
// Whether a way is shared is no change of the order, so no event of the order tells it.
onStream("inbox", (event) => invalidate("inbox", ...(event.order && event.topic.startsWith("order.way") ? [`order:${event.order}`] : [])));
onStream("message", (event) => invalidate(`talk:${event.conversation}`, "talks"));
onStream("marks", (event) => invalidate(`talk:${event.conversation}`, "talks"));
onStream("position", (event) => positionOf(event.order).set(event));

let lastEvent: string | undefined;
let stop: (() => void) | undefined;
let attempts = 0;

/** One message of the stream, between two empty lines. */
function take(block: string): "reopen" | "stay away" | undefined {
  let kind = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const match = /^([a-z]+):? ?(.*)$/.exec(line);
    if (match?.[1] === "event") kind = match[2];
    else if (match?.[1] === "data") data.push(match[2]);
    else if (match?.[1] === "id") lastEvent = match[2];
  }
  if (!data.length) return undefined;
  if (kind === "expired" || kind === "closing") return "reopen";
  if (kind === "replaced") return "stay away";
  if (kind === "ready") {
    attempts = 0;
    if ((JSON.parse(data.join("\n")) as { missed: boolean }).missed) readAnew();
  }
  deliver(kind, data.join("\n"));
  return undefined;
}

/** The server says something each 15 s. What says nothing for so long is a connection that has died unnoticed. */
const silenceMs = 40_000;

async function read(ended: AbortSignal): Promise<boolean> {
  const connection = new AbortController();
  const end = (): void => connection.abort();
  ended.addEventListener("abort", end);
  let silence = setTimeout(end, silenceMs);
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(end, silenceMs);
  };
  try {
    return await follow(connection.signal, heard);
  } finally {
    clearTimeout(silence);
    ended.removeEventListener("abort", end);
  }
}

async function follow(signal: AbortSignal, heard: () => void): Promise<boolean> {
  const token = await accessToken();
  if (!token) return false;
  const headers: Record<string, string> = { Authorization: `Bearer ${token}`, Accept: "text/event-stream" };
  if (lastEvent) headers["Last-Event-ID"] = lastEvent;
  const response = await fetch("/notifications/v1/stream", { headers, signal, cache: "no-store" });
  if (response.status === 401) await renewRoles();
  if (!response.ok || !response.body) return true;
  noteAnswer();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    heard();
    const blocks = (rest + decoder.decode(value, { stream: true }).replace(/\r/g, "")).split("\n\n");
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const next = take(block);
      if (next === "reopen") return true;
      if (next === "stay away") return false;
    }
  }
}

function open(): void {
  if (stop || session.get().state !== "in" || document.hidden) return;
  const controller = new AbortController();
  stop = () => {
    controller.abort();
    stop = undefined;
  };
  void (async () => {
    while (!controller.signal.aborted) {
      const goesOn = await read(controller.signal).catch(() => true);
      if (!goesOn || controller.signal.aborted) break;
      const pause = Math.min(30_000, 500 * 2 ** attempts++) * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    if (!controller.signal.aborted) stop = undefined;
  })();
}

/** Keeps the stream open while somebody is logged in and looks; a page that was hidden for five minutes hears nothing until it
 * is looked at again, and is told then what it has missed. */
export function followStream(): void {
  let hidden: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  // A phone that slept, or has another network now, has a connection that nobody has ended; what came meanwhile is told by the new one.
  const anew = (): void => {
    stop?.();
    attempts = 0;
    open();
  };
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden);
    if (document.hidden) {
      since = Date.now();
      hidden = setTimeout(() => stop?.(), 5 * 60_000);
    } else if (Date.now() - since > 20_000) anew();
    else open();
  });
  addEventListener("online", anew);
  let account = session.get().account;
  session.follow(() => {
    if (session.get().account !== account || session.get().state !== "in") {
      stop?.();
      if (session.get().account !== account) lastEvent = undefined;
      account = session.get().account;
    }
    open();
  });
  open();
}
