import { useEffect } from "preact";
import { address, Answer, api, GetParameters, GetPath, Optional } from "./api/client";
import { isOnline } from "./api/connection";
import { NoConnection } from "./api/problem";
import { Cell, useCell } from "./cell";
import { language } from "./language";
import { session } from "./session";

/** What is known of one thing that the services tell. */
export interface Resource<T> {
  value?: T;
  /** When it was told. */
  at?: number;
  /** From before the connection was lost, or while the answer is awaited. */
  isOld: boolean;
  isLoading: boolean;
  /** Why the last reading failed. */
  error?: unknown;
}

interface Entry {
  cell: Cell<Resource<unknown>>;
  tags: Set<string>;
  /** The newest answer, which an older one does not replace. */
  newest?: unknown;
  readers: number;
  load: () => Promise<void>;
}

const entries = new Map<string, Entry>();
const versionOf = (value: unknown): number | undefined => {
  const version = (value as { version?: unknown } | undefined)?.version;
  return typeof version === "number" ? version : undefined;
};

/** The newest version wins, whatever comes last. */
function isOlder(value: unknown, than: unknown): boolean {
  const [one, other] = [versionOf(value), versionOf(than)];
  return one !== undefined && other !== undefined && one < other;
}

function entry<P extends GetPath>(path: P, parameters: GetParameters<P>): Entry {
  const key = `${language.get()} ${address(path, parameters as Record<string, unknown>)}`;
  const found = entries.get(key);
  if (found) return found;
  const cell = new Cell<Resource<unknown>>({ isOld: false, isLoading: true });
  let running: Promise<void> | undefined;
  let again = false;
  const args = [parameters] as Optional<GetParameters<P>>;

  const read = async (): Promise<void> => {
    cell.set({ ...cell.get(), isLoading: true });
    const showKept = async (): Promise<void> => {
      const kept = cell.get().value === undefined ? await api.kept(path, ...args) : undefined;
      if (kept && cell.get().value === undefined) cell.set({ ...cell.get(), value: kept.body, at: kept.at, isOld: true });
    };
    const timer = setTimeout(showKept, 400);
    try {
      const value = await api.get(path, ...args);
      if (!isOlder(value, made.newest)) made.newest = value;
      cell.set({ value: made.newest, at: Date.now(), isOld: false, isLoading: false });
    } catch (error) {
      if (error instanceof NoConnection) {
        made.newest = undefined;
        await showKept();
      }
      const old = cell.get();
      cell.set({ ...old, error, isOld: error instanceof NoConnection || old.isOld, isLoading: false });
    } finally {
      clearTimeout(timer);
    }
  };
  // What is asked for while an answer is under way is asked anew after it: the answer may be from before the change.
  const load = async (): Promise<void> => {
    if (running) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await read();
      } while (again);
    })().finally(() => (running = undefined));
    return running;
  };
  const made: Entry = { cell, tags: new Set(), readers: 0, load };
  entries.set(key, made);
  return made;
}

const none = new Cell<Resource<unknown>>({ isOld: false, isLoading: false });

/**
 * What a GET answers, kept up to date: read when the screen opens, again when one of its tags is invalidated (by the stream,
 * or by what the person does) and when the connection is back. Without a connection the last answer is given, with `isOld`.
 *
 *     const order = useGet("/dispatch/v1/orders/{id}", { id }, [`order:${id}`]);
 *
 * `null` as parameters: nothing is asked.
 */
export function useGet<P extends GetPath>(
  path: P, parameters: GetParameters<P> | null, tags: string[] = [],
): Resource<Answer<"get", P>> & { reload: () => Promise<void> } {
  const found = parameters === null ? undefined : entry(path, parameters);
  const resource = useCell(found?.cell ?? none) as Resource<Answer<"get", P>>;
  useEffect(() => {
    if (!found) return undefined;
    tags.forEach((tag) => found.tags.add(tag));
    found.readers++;
    void found.load();
    return () => {
      found.readers--;
    };
  }, [found]);
  return { ...resource, reload: found?.load ?? (async () => undefined) };
}

/** Has what bears one of the tags read again, if a screen shows it; else when one does. */
export function invalidate(...tags: string[]): void {
  for (const one of entries.values()) {
    if (one.readers > 0 && tags.some((tag) => one.tags.has(tag))) void one.load();
  }
}

/** After the connection was lost: everything on the screen. */
export function invalidateAll(): void {
  for (const one of entries.values()) if (one.readers > 0) void one.load();
}

/**
 * After events were missed: everything on the screen, whatever its version. Where the server's database was set back to an
 * earlier moment, what it has now is older than what is shown, and right.
 */
export function readAnew(): void {
  for (const one of entries.values()) one.newest = undefined;
  invalidateAll();
}

/** Puts an answer to a change where the thing is shown, before it is read again. */
export function put<P extends GetPath>(path: P, parameters: GetParameters<P>, value: Answer<"get", P>): void {
  const found = entry(path, parameters);
  if (isOlder(value, found.newest)) return;
  found.newest = value;
  found.cell.set({ value, at: Date.now(), isOld: false, isLoading: false });
}

isOnline.follow(() => {
  if (isOnline.get()) invalidateAll();
});

let former = session.get();
session.follow(() => {
  const now = session.get();
  if (now.account !== former.account) entries.clear();
  // Roles may show other things; after a session has ended nothing could be read.
  else if (now.state === "in" && (former.state !== "in" || now.roles !== former.roles)) invalidateAll();
  former = now;
});
