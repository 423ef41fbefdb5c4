import { Cell } from "../cell";

/** Whether requests reach the services, as far as this page knows. */
export const isOnline = new Cell<boolean>(navigator.onLine);

addEventListener("online", () => isOnline.set(true));
addEventListener("offline", () => isOnline.set(false));

/** After a request: an answer of any kind shows that there is a connection. */
export const noteAnswer = (): void => isOnline.set(true);
export const noteSilence = (): void => isOnline.set(false);

// A network that was gone says nothing when it is back but by `online`, which some phones never send.
setInterval(() => {
  if (isOnline.get() || document.hidden) return;
  fetch("/config.json", { cache: "no-store", signal: deadline(5000) }).then(noteAnswer, () => undefined);
}, 10_000);

/** A signal that aborts after so many milliseconds. */
export function deadline(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}
