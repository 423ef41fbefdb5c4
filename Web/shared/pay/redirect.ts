import type { Wallet } from "api-types";
import { place } from "../router";

const kept = "serai-payment";

/** Leaves for the page of a bank or of PayPal. It leads back to `/payments`, which knows nothing of what was paid: the path that
 * was open is kept here. */
export function leaveFor(action: Wallet.NextAction, path: string): void {
  localStorage.setItem(kept, JSON.stringify({ market: place.get().market, path }));
  location.assign(action.url);
}

/** Where the way to the bank began; undefined in another browser. */
export function whereLeft(): string | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(kept) ?? "null") as { market: string; path: string } | null;
    localStorage.removeItem(kept);
    return found ? `/${found.market}/${found.path}` : undefined;
  } catch {
    return undefined;
  }
}
