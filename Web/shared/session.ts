import type { Identity } from "api-types";
import { setCredentials } from "./api/client";
import { deadline, noteAnswer, noteSilence } from "./api/connection";
import { forgetAll } from "./api/kept";
import { NoConnection, Problem } from "./api/problem";
import { Cell } from "./cell";
import { language } from "./language";

/**
 * Who is logged in. The refresh token is in a cookie that no script reads, the access token in this page's memory alone.
 * `ended` is a session that the services no longer know: the screens stay, with what was typed, until the owner logs in again.
 */
export interface Session {
  state: "out" | "in" | "ended";
  account?: string;
  roles: Identity.Role[];
  /** What the owner should be asked to do: `change-password`, `second-factor`, `mobile`. */
  asks: string[];
}

const nobody: Session = { state: "out", roles: [], asks: [] };
const kept = "serai-account";
const unfinished = "serai-log-out";

/** What is known of the last session without asking: account and roles. */
function remembered(): Session {
  try {
    const found = JSON.parse(localStorage.getItem(kept) ?? "null") as Pick<Session, "account" | "roles"> | null;
    return found?.account ? { state: "in", account: found.account, roles: found.roles, asks: [] } : nobody;
  } catch {
    return nobody;
  }
}

export const session = new Cell<Session>(remembered());

let access: { token: string; until: number } | undefined;
let refreshing: Promise<string | undefined> | undefined;
const tabs = new BroadcastChannel("serai-session");

type News = { kind: "token"; token: string; until: number; account: string } | { kind: "out" };
tabs.onmessage = ({ data }: MessageEvent<News>): void => {
  if (data.kind === "out") {
    clear();
    sessionStorage.clear();
  } else if (session.get().account === data.account) {
    access = { token: data.token, until: data.until };
    if (session.get().state === "ended") session.set({ ...session.get(), state: "in" });
  } else {
    // What the former account had typed in this tab is not the new one's.
    if (session.get().account) sessionStorage.clear();
    location.reload();
  }
};

/** What this phone remembers of one account, such as its last place: all names that end in it. */
function forget(account: string | undefined): void {
  if (account) for (const name of Object.keys(localStorage)) if (name.endsWith(`-${account}`)) localStorage.removeItem(name);
}

function clear(): void {
  forget(session.get().account);
  access = undefined;
  localStorage.removeItem(kept);
  session.set(nobody);
}

/** After a log-in, or a refresh. */
export function beginSession(answer: Identity.Session): void {
  const former = session.get().account;
  access = { token: answer.accessToken, until: Date.now() + answer.expiresIn * 1000 };
  localStorage.setItem(kept, JSON.stringify({ account: answer.account, roles: answer.roles }));
  localStorage.removeItem(unfinished);
  tabs.postMessage({ kind: "token", ...access, account: answer.account } as News);
  if (former && former !== answer.account) {
    forget(former);
    sessionStorage.clear();
    void forgetAll();
  }
  const next: Session = { state: "in", account: answer.account, roles: answer.roles, asks: answer.asks ?? (former === answer.account ? session.get().asks : []) };
  // A refresh that changes nothing draws nothing anew.
  if (JSON.stringify(next) !== JSON.stringify(session.get())) session.set(next);
}

async function request(method: "POST" | "DELETE", path: string, token?: string): Promise<Response> {
  const headers: Record<string, string> = { "Serai-Session": "cookie", "Accept-Language": language.get() };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (method === "POST") headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(`/identity/v1/sessions/${path}`, {
      method, headers, body: method === "POST" ? "{}" : undefined, cache: "no-store", signal: deadline(20_000),
    });
    noteAnswer();
    return response;
  } catch {
    noteSilence();
    throw new NoConnection();
  }
}

async function exchange(): Promise<string | undefined> {
  // Another tab may have done it while this one waited for its turn.
  if (access && access.until - Date.now() > 30_000) return access.token;
  const response = await request("POST", "refresh");
  if (response.status === 401) {
    access = undefined;
    if (session.get().state === "in") session.set({ ...session.get(), state: "ended" });
    return undefined;
  }
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
  if (!response.ok) throw Problem.read(response.status, body);
  beginSession(body as unknown as Identity.Session);
  return access?.token;
}

/** One at a time for all waiting requests of all tabs. */
export function refreshSession(): Promise<string | undefined> {
  refreshing ??= (navigator.locks ? (navigator.locks.request("serai-session", exchange) as Promise<string | undefined>) : exchange())
    .finally(() => (refreshing = undefined));
  return refreshing;
}

setCredentials({
  account: () => session.get().account,
  token: async () => {
    if (session.get().state !== "in") return undefined;
    return access && access.until - Date.now() > 15_000 ? access.token : refreshSession();
  },
  settled: () => ending,
  renew: (refused) => {
    if (access?.token === refused) access = undefined;
    return refreshSession();
  },
});

/** An access token for what does not go through the client: the stream. */
export const accessToken = async (): Promise<string | undefined> =>
  access && access.until - Date.now() > 15_000 ? access.token : refreshSession();

/** The owner has done what was asked. */
export const settled = (ask: string): void => session.set({ ...session.get(), asks: session.get().asks.filter((one) => one !== ask) });

/** Roles are in tokens from the next refresh on: after one was added, or an admin has verified one. */
export function renewRoles(): Promise<string | undefined> {
  access = undefined;
  return refreshSession();
}

/** Ends the session here at once, and at the services; without a connection the latter when there is one. */
export async function logOut(): Promise<void> {
  const token = access?.token;
  clear();
  tabs.postMessage({ kind: "out" } as News);
  await forgetAll();
  // Whatever becomes of the page meanwhile.
  localStorage.setItem(unfinished, "yes");
  sessionStorage.clear();
  ending = finishLogOut(token);
}

/** Until a former session has ended: its answers set the same cookie as those of a new log-in, which waits for it. */
let ending: Promise<void> = Promise.resolve();
const finishLogOut = (token?: string): Promise<void> => endAtServices(token).then(() => localStorage.removeItem(unfinished), () => undefined);

async function endAtServices(token: string | undefined): Promise<void> {
  let good = token;
  if (!good) {
    const response = await request("POST", "refresh");
    if (!response.ok) return;
    good = ((await response.json()) as Identity.Session).accessToken;
  }
  await request("DELETE", "current", good);
}

if (localStorage.getItem(unfinished) && session.get().state === "out") ending = finishLogOut();

/** A deletion that was asked for in this tab: when the session ends, it may be because the account is gone. */
const deletion = "serai-deletion";
export const rememberDeletion = (id: string): void => sessionStorage.setItem(deletion, id);
export const askedDeletion = (): string | undefined => sessionStorage.getItem(deletion) ?? undefined;

/** The roles of the account in a market. */
export const rolesIn = (market: string): Identity.Role[] => session.get().roles.filter((role) => role.market === market);
