import type { Operations } from "api-types";
import { address, Body, newKey, Options, repeat } from "./api/client";
import { isOnline } from "./api/connection";
import { NoConnection, textOf } from "./api/problem";
import { Cell } from "./cell";
import { invalidate } from "./resources";
import { session } from "./session";

/** Something that was tapped without a connection. It is sent once when there is one, with the key that it was tapped with. */
export interface Waiting {
  id: string;
  account: string;
  method: "post" | "put" | "delete";
  path: string;
  parameters: Record<string, unknown>;
  body: unknown;
  key: string;
  /** What the person reads: `Accept the order`. */
  label: string;
  tags: string[];
  at: number;
}

/** What waits for a connection, of the account that is logged in. */
export const waiting = new Cell<Waiting[]>([]);
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

async function sendAll(): Promise<void> {
  await refresh();
  for (const one of waiting.get()) {
    try {
      await repeat(one.method, one.path, one.parameters, one.body, one.key);
      tell(one.label, undefined);
    } catch (error) {
      if (error instanceof NoConnection || session.get().state !== "in") return;
      tell(one.label, textOf(error));
    }
    await transact("readwrite", (actions) => actions.delete(one.id));
    await refresh();
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
  try {
    await repeat(method, path, parameters, body, key);
    invalidate(...tags);
    return "done";
  } catch (error) {
    const account = session.get().account;
    if (!(error instanceof NoConnection) || !account) throw error;
    const known = waiting.get().some((one) => one.method === method && address(one.path, one.parameters) === address(path, parameters));
    if (!known) {
      const action: Waiting = { id: key, account, method, path, parameters, body, key, label: options.label, tags, at: Date.now() };
      await transact("readwrite", (actions) => actions.put(action));
      await refresh();
    }
    return "waiting";
  }
}

/** Takes back what was not sent yet. */
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
