// The service worker: what a start needs is here without a network. Reads of the APIs are kept by the page (shared/api/kept.ts).
declare const VERSION: string;
declare const START: string;
declare const LATER: string;

// The compiler's library for workers and that for pages exclude each other.
interface WorkerEvent {
  data: unknown;
  request: Request;
  notification: Notification;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as {
  addEventListener(kind: string, handler: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  registration: ServiceWorkerRegistration;
};
/** An open tab of the app. */
interface Page {
  url: string;
  visibilityState: string;
  focus(): Promise<Page>;
  postMessage(message: unknown): void;
}
const files = `files-${VERSION}`;
/** The pages of the markets, which name the files of this version. */
const shells = `shells-${VERSION}`;
const marketOf = (url: string): string => (/^\/[^/]+/.exec(new URL(url).pathname)?.[0] ?? "") + "/";

worker.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await (await caches.open(files)).addAll(JSON.parse(START) as string[]);
    const markets = new Set((await openPages()).map((page) => marketOf(page.url)));
    for (const name of await caches.keys()) {
      if (name.startsWith("shells")) for (const shell of await (await caches.open(name)).keys()) markets.add(marketOf(shell.url));
    }
    const cache = await caches.open(shells);
    await Promise.all([...markets].map(async (market) => {
      const response = await fetch(market, { cache: "no-store" });
      if (response.ok) await cache.put(market, response);
    }));
  })());
});

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (/^(files|shells)/.test(name) && name !== files && name !== shells) await caches.delete(name);
    await worker.clients.claim();
  })());
});

worker.addEventListener("message", (event) => {
  // The page says when: never while somebody types.
  if (event.data === "take over") void worker.skipWaiting();
  if (event.data === "fetch the rest") {
    event.waitUntil((async () => {
      const cache = await caches.open(files);
      for (const path of JSON.parse(LATER) as string[]) if (!(await cache.match(path))) await cache.add(path).catch(() => undefined);
    })());
  }
});

/** The page of a market: the network's, else the last one. */
async function page(request: Request): Promise<Response> {
  const name = marketOf(request.url);
  const cache = await caches.open(shells);
  const fromNetwork = fetch(request).then((response) => {
    if (response.ok) void cache.put(name, response.clone());
    return response;
  });
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 3000));
  const first = await Promise.race([fromNetwork.catch(() => undefined), late]);
  return first ?? (await cache.match(name)) ?? fromNetwork;
}

/** A file with a hash in its name never changes. */
async function file(request: Request): Promise<Response> {
  const found = await caches.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) void (await caches.open(files)).put(request, response.clone());
  return response;
}

/** What notifications sends to a browser: the words, and the page that they open. */
interface Message {
  title: string;
  body: string;
  url: string;
  lang: string;
  dir: NotificationDirection;
  tag: string;
  urgent: boolean;
}

const openPages = (): Promise<Page[]> => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

/** Browsers ask that each message is shown. One that has the name of a former takes its place; it makes no sound where the app is
 * looked at, since the page has told it already. */
async function show(message: Message): Promise<void> {
  const isSeen = (await openPages()).some((page) => page.visibilityState === "visible");
  const { title, body, lang, dir, tag, urgent } = message;
  const options = { body, lang, dir, tag, data: message.url, silent: isSeen, renotify: urgent && !isSeen, requireInteraction: urgent && !isSeen };
  await worker.registration.showNotification(title, options);
}

/** Opens the page of a message: in a tab that is open already, else in a new one. */
async function open(path: unknown): Promise<void> {
  // A path of the app, and no other host: two slashes would be one.
  const url = typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : "/";
  const pages = await openPages();
  const page = pages.find((one) => one.visibilityState === "visible") ?? pages[0];
  if (!page) return void (await worker.clients.openWindow(url));
  page.postMessage({ open: url });
  await page.focus();
}

worker.addEventListener("push", (event) => {
  let message: Message;
  try {
    message = (event.data as { json(): Message }).json();
  } catch {
    // Nothing that can be shown.
    return;
  }
  event.waitUntil(show(message));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(file(event.request));
});

export {};
