/**
 * The last answers to what an account has read, to be shown without a connection. Deleted when it logs out.
 * What everybody may read is kept under `open`.
 */
export const keptName = (account: string | undefined): string => `answers-${account ?? "open"}`;
const limit = 200;

export interface Kept {
  body: unknown;
  /** When it was answered. */
  at: number;
}

export async function keep(account: string | undefined, path: string, body: unknown): Promise<void> {
  try {
    const cache = await caches.open(keptName(account));
    await cache.put(path, new Response(JSON.stringify({ body, at: Date.now() })));
    const keys = await cache.keys();
    if (keys.length > limit) await Promise.all(keys.slice(0, keys.length - limit).map((key) => cache.delete(key)));
  } catch {
    // Without storage there is nothing to show later, and all else works.
  }
}

export async function recall(account: string | undefined, path: string): Promise<Kept | undefined> {
  try {
    const found = await (await caches.open(keptName(account))).match(path);
    return found ? ((await found.json()) as Kept) : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes what is kept of every account. */
export async function forgetAll(): Promise<void> {
  try {
    for (const key of await caches.keys()) if (key.startsWith("answers-") && key !== keptName(undefined)) await caches.delete(key);
  } catch {
    // Then nothing was kept either.
  }
}
