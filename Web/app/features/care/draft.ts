import { Cell, useCell } from "../../../shared/cell";
import type { ChosenPlace } from "../../../shared/map/place-picker";
import { place as address } from "../../../shared/router";
import { session } from "../../../shared/session";

export type Weekday = "MO" | "TU" | "WE" | "TH" | "FR" | "SA" | "SU";
/** For when: at once, at a time on the market's clock, or again and again by a rule. */
export type When =
  | { kind: "now" }
  | { kind: "later"; day: string; time: string }
  | { kind: "series"; every: "daily" | "weekly" | "monthly"; days: Weekday[]; monthDay: number; firstDay: string; time: string; until: string; skipped: string[] };

export interface Person {
  account: string;
  name: string;
}

/** An order as far as it has been put together: kept in this tab until it is sent. */
export interface Draft {
  services: string[];
  place?: ChosenPlace;
  /** How to find the place. */
  note: string;
  when?: When;
  relative?: Person;
  preferred?: Person;
}

const empty: Draft = { services: [], note: "" };
const name = (kind: string): string => `serai-${kind}-${address.get().market}-${session.get().account ?? ""}`;

function stored<T>(storage: Storage, key: string): T | undefined {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

const cells = new Map<string, Cell<Draft>>();
function cellNow(): Cell<Draft> {
  const key = name("draft");
  const found = cells.get(key) ?? new Cell<Draft>({ ...empty, ...stored<Draft>(sessionStorage, key) });
  cells.set(key, found);
  return found;
}

export function useDraft(): Draft {
  return useCell(cellNow());
}

export function change(part: Partial<Draft>): void {
  const cell = cellNow();
  cell.set({ ...cell.get(), ...part });
  sessionStorage.setItem(name("draft"), JSON.stringify(cell.get()));
}

/** After it was sent: the place is the first guess of the next order. */
export function sent(): void {
  const { place, note } = cellNow().get();
  if (place) localStorage.setItem(name("place"), JSON.stringify({ place, note }));
  cellNow().set(empty);
  sessionStorage.removeItem(name("draft"));
}

export const lastPlace = (): { place: ChosenPlace; note: string } | undefined => stored(localStorage, name("place"));
