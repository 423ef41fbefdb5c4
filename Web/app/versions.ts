import { Cell } from "../shared/cell";
import { go, setReloads } from "../shared/router";

/** Whether a newer version of the app waits. It takes over at the next move to another screen, never while somebody types. */
export const isNewer = new Cell<boolean>(false);
let takeOver: () => void = () => undefined;

export function update(): void {
  takeOver();
  location.reload();
}

export function followVersions(): void {
  if (!("serviceWorker" in navigator)) return;
  setReloads(() => {
    if (!isNewer.get()) return false;
    takeOver();
    return true;
  });
  // A message that was tapped while the page is open.
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ open?: string } | null>) => data?.open && go(data.open));
  addEventListener("load", () => void start());
  if (document.readyState === "complete") void start();
}

let isStarted = false;
async function start(): Promise<void> {
  if (isStarted) return;
  isStarted = true;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js");
    const watch = (worker: ServiceWorker | null): void => {
      if (!worker) return;
      const look = (): void => {
        if (worker.state !== "installed" || !navigator.serviceWorker.controller) return;
        takeOver = () => worker.postMessage("take over");
        isNewer.set(true);
      };
      look();
      worker.addEventListener("statechange", look);
    };
    watch(registration.waiting);
    registration.addEventListener("updatefound", () => watch(registration.installing));
    const ready = await navigator.serviceWorker.ready;
    setTimeout(() => ready.active?.postMessage("fetch the rest"), 5000);
    setInterval(() => void registration.update().catch(() => undefined), 3600_000);
  } catch {
    // The app works without it, only not without a network.
  }
}
