import { api } from "../api/client";
import { Failure } from "../api/problem";
import { Cell } from "../cell";
import { place } from "../router";
import { session } from "../session";
import { catalogue } from "../words";

const words = catalogue({
  denied: {
    en: "Your browser does not let this page notify you. Allow it in the page's settings",
    ar: "المتصفح لا يسمح لهذه الصفحة بإرسال التنبيهات. اسمح بذلك من إعدادات الصفحة",
  },
  failed: { en: "Your browser could not be registered for messages. Try again later", ar: "تعذر تسجيل المتصفح لاستقبال التنبيهات. حاول لاحقًا" },
});

/** Whether this browser shows what is new while the page is closed. `none`: it cannot, or the services do not offer it. */
export type PushState = "unknown" | "none" | "denied" | "off" | "on";
export const pushState = new Cell<PushState>("unknown");

/** The name under which this browser is registered for an account; it goes with the log-out, as all names that end so. */
const kept = (account: string): string => `serai-push-${account}`;

const isAble = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function offeredKey(): Promise<string | undefined> {
  return (await api.get("/notifications/v1/push-key", {})).key;
}

const bytes = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** Subscribes the browser, if it is not, and tells the service where messages go. */
async function register(account: string, key: string): Promise<void> {
  const worker = await navigator.serviceWorker.ready;
  let subscription = await worker.pushManager.getSubscription();
  const former = subscription?.options.applicationServerKey;
  // The service has another key by now: nothing of the old one can be sent to.
  if (subscription && former && String(new Uint8Array(former)) !== String(bytes(key))) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = subscription.toJSON();
  const id = localStorage.getItem(kept(account)) ?? crypto.randomUUID();
  await api.put("/notifications/v1/devices/{id}", { id }, {
    kind: "web", market: place.get().market, endpoint, p256dh: keys?.p256dh, auth: keys?.auth,
  });
  localStorage.setItem(kept(account), id);
}

/** Asks for the permission, so call it in a tap that says what for. */
export async function turnPushOn(): Promise<void> {
  const { account } = session.get();
  if (!account || !isAble()) return;
  if ((await Notification.requestPermission()) !== "granted") {
    pushState.set(Notification.permission === "denied" ? "denied" : "off");
    throw new Failure(words.denied);
  }
  const key = await offeredKey();
  if (!key) return pushState.set("none");
  try {
    await register(account, key);
  } catch (error) {
    // The browser's own service may be out of reach.
    throw error instanceof DOMException ? new Failure(words.failed) : error;
  }
  pushState.set("on");
}

export async function turnPushOff(): Promise<void> {
  const { account } = session.get();
  const id = account && localStorage.getItem(kept(account));
  if (id) await api.delete("/notifications/v1/devices/{id}", { id });
  if (account) localStorage.removeItem(kept(account));
  await unsubscribe();
  pushState.set("off");
}

async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/** What holds here now; asks nobody for anything. Who has registered this browser before is registered again: under the session of
 * now, and with the subscription of now, since browsers replace theirs. */
async function look(): Promise<void> {
  const { account, state } = session.get();
  if (!isAble()) return pushState.set("none");
  if (state !== "in" || !account) return pushState.set("unknown");
  if (Notification.permission === "denied") return pushState.set("denied");
  const key = await offeredKey();
  if (!key) return pushState.set("none");
  if (Notification.permission !== "granted" || !localStorage.getItem(kept(account))) return pushState.set("off");
  await register(account, key);
  pushState.set("on");
}

/** Looks now, and anew for another account; a log-out ends the subscription. */
export function followPush(): void {
  // Without an answer the next page looks again.
  const lookAgain = (): void => void look().catch(() => undefined);
  let last = session.get();
  session.follow(() => {
    const [before, now] = [last, session.get()];
    last = now;
    if (now.account === before.account && now.state === before.state) return;
    pushState.set("unknown");
    if (now.state === "in") lookAgain();
    else if (now.state === "out" && isAble()) unsubscribe().catch(() => undefined);
  });
  lookAgain();
}
