import { Cell, useCell } from "../../../shared/cell";
import { session } from "../../../shared/session";

export interface Line {
  item: string;
  name: string;
  /** Of one, in minor units, as the menu said. */
  price: number;
  count: number;
  picture?: string;
}

/** What somebody wants from one restaurant, until it is ordered. */
export interface Cart {
  restaurant: string;
  name: string;
  currency: string;
  lines: Line[];
}

const nameOf = (): string => `serai-cart-${session.get().account ?? ""}`;
function read(): Cart | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameOf()) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

const cart = new Cell<Cart | undefined>(read());
let account = session.get().account;
session.follow(() => {
  if (session.get().account === account) return;
  account = session.get().account;
  cart.set(read());
});

export const useCart = (): Cart | undefined => useCell(cart);

export function setCart(next: Cart | undefined): void {
  const kept = next && next.lines.length > 0 ? next : undefined;
  if (kept) localStorage.setItem(nameOf(), JSON.stringify(kept));
  else localStorage.removeItem(nameOf());
  cart.set(kept);
}

export const sumOf = (lines: Line[]): number => lines.reduce((sum, line) => sum + line.price * line.count, 0);
export const piecesOf = (lines: Line[]): number => lines.reduce((sum, line) => sum + line.count, 0);

/** The lines with one item's count changed by so many; at most 50 of one, and of 50 different ones. */
export function changed(lines: Line[], item: Omit<Line, "count">, by: number): Line[] {
  const found = lines.find((line) => line.item === item.item);
  if (!found) return by > 0 && lines.length < 50 ? [...lines, { ...item, count: by }] : lines;
  const count = Math.min(50, found.count + by);
  return count > 0 ? lines.map((line) => (line === found ? { ...item, count } : line)) : lines.filter((line) => line !== found);
}
