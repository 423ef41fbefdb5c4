import type { Operations } from "api-types";
import { address, Body, newKey, Options, repeat } from "./api/client";
import { isOnline } from "./api/connection";
import { isDecided, NoConnection, textOf } from "./api/problem";
import { invalidate } from "./resources";
import { session } from "./session";
import { Waiting, waiting } from "./waiting";

/** Tells the person that something was sent late, or could not be done. */
let tell: (label: string, error: string | undefined) => void = () => undefined;

const store = "actions";
let database: Promise<IDBDatabase> | undefined;

function opened(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("serai", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return database;
}

async function transact<T>(mode: IDBTransactionMode, work: (actions: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await opened()).transaction(store, mode);
  const request = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
  });
}

async function refresh(): Promise<void> {
  const all = await transact<Waiting[]>("readonly", (actions) => actions.getAll() as IDBRequest<Waiting[]>);
  waiting.set(all.filter((one) => one.account === session.get().account).sort((a, b) => a.at - b.at));
}

const write = async (one: Waiting): Promise<void> => {
  await transact("readwrite", (actions) => actions.put(one));
  await refresh();
};

const soon = (): void => void setTimeout(flush, 15_000);

async function sendAll(): Promise<void> {
  await refresh();
  for (const one of waiting.get()) {
    if (one.error !== undefined) {
      if (Date.now() - one.at > 7 * 86_400_000) await takeBack(one.id);
      continue;
    }
    try {
      await repeat(one.method, one.path, one.parameters, one.body, one.key);
      tell(one.label, undefined);
      await takeBack(one.id);
    } catch (error) {
      if (session.get().state !== "in" || (error instanceof NoConnection && !isOnline.get())) return;
      if (!isDecided(error)) {
        soon();
        // A file that was too slow holds up nothing else. What cannot be done now keeps its place before what follows from it.
        if (error instanceof NoConnection) continue;
        return;
      }
      tell(one.label, textOf(error));
      await write({ ...one, error: textOf(error) });
    }
    invalidate(...one.tags);
  }
}

/** Of all tabs one sends. */
const flush = (): void => {
  if (!isOnline.get() || session.get().state !== "in") return;
  const send = (): Promise<void> => sendAll().catch(() => undefined);
  void (navigator.locks ? navigator.locks.request("serai-queue", send) : send());
};

/**
 * Does what was tapped, or keeps it until there is a connection; then it waits visibly.
 *
 *     const outcome = await act("post", "/dispatch/v1/orders/{id}/complete", { id }, undefined, { label, tags: [`order:${id}`] });
 *
 * A refusal is thrown. Not for payments and forms: those stay open until they are answered.
 */
export async function act<M extends "post" | "put" | "delete", P extends keyof Operations[M] & string>(
  method: M, path: P, parameters: Record<string, string>, body: Body<M, P>,
  options: Options & { label: string; tags?: string[] },
): Promise<"done" | "waiting"> {
  const key = options.key ?? newKey();
  const tags = options.tags ?? [];
  const former = waiting.get().find((one) => one.method === method && address(one.path, one.parameters) === address(path, parameters));
  if (former?.error !== undefined) await takeBack(former.id);
  try {
    await repeat(method, path, parameters, body, key);
    invalidate(...tags);
    return "done";
  } catch (error) {
    const account = session.get().account;
    if (!(error instanceof NoConnection) || !account) throw error;
    if (!former || former.error !== undefined) {
      await write({ id: key, account, method, path, parameters, body, key, label: options.label, tags, at: Date.now() });
      if (isOnline.get()) soon();
    }
    return "waiting";
  }
}

/** Takes back what was not sent yet, or was refused. */
export async function takeBack(id: string): Promise<void> {
  await transact("readwrite", (actions) => actions.delete(id));
  await refresh();
}

/** Sends what waits, now and whenever the connection comes back. */
export function followQueue(report: typeof tell): void {
  tell = report;
  isOnline.follow(flush);
  session.follow(() => {
    // What one has not sent before logging out is nobody's.
    const begin = session.get().state === "out" ? transact("readwrite", (actions) => actions.clear()) : Promise.resolve();
    void begin.then(refresh).then(flush, () => undefined);
  });
  void refresh().then(flush, () => undefined);
}
