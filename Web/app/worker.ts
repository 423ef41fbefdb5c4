// The service worker: what a start needs is here without a network. Reads of the APIs are kept by the page (shared/api/kept.ts).
declare const VERSION: string;
declare const START: string;
declare const LATER: string;

// The compiler's library for workers and that for pages exclude each other.
interface WorkerEvent {
  data: unknown;
  request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as {
  addEventListener(kind: string, handler: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};
const files = `files-${VERSION}`;
const shells = "shells";

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(files).then((cache) => cache.addAll(JSON.parse(START) as string[])));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("files-") && name !== files) await caches.delete(name);
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
  const name = `/${new URL(request.url).pathname.split("/")[1]}/`;
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

worker.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate") event.respondWith(page(event.request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(file(event.request));
});

export {};
