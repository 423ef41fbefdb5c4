import { useEffect } from "preact";
import { api } from "../shared/api/client";
import { Cell, useCell } from "../shared/cell";
import { number } from "../shared/format";
import { usePlace } from "../shared/router";
import { session } from "../shared/session";

/** What waits for an admin, as the services count it. */
export type Count =
  | "papers" | "families" | "removals" | "professions" | "desk" | "timeChanges" | "tooLong" | "cashouts" | "approvals" | "disputes" | "reports" | "inquiries" | "messageReports" | "inbox";
export type Counts = Partial<Record<Count, number>>;

const everySeconds = 30;
const cell = new Cell<{ market: string; counts: Counts }>({ market: "", counts: {} });

/** Numbers alone, of each service that has something to decide: none of these is a reading of a list. */
const questions: ((market: string) => Promise<Counts>)[] = [
  (market) => api.get("/identity/v1/markets/{market}/waiting", { market }),
  (market) => api.get("/dispatch/v1/markets/{market}/waiting", { market }),
  (market) => api.get("/wallet/v1/markets/{market}/waiting", { market }),
  (market) => api.get("/admin/v1/markets/{market}/waiting", { market }),
  (market) => api.get("/notifications/v1/markets/{market}/waiting", { market }),
];

async function ask(market: string): Promise<void> {
  // What one service cannot tell now is left out; the page says why.
  const found = await Promise.all(questions.map((question) => question(market).catch((): Counts => ({}))));
  const counts: Counts = Object.assign({}, ...found) as Counts;
  if (JSON.stringify({ market, counts }) !== JSON.stringify(cell.get())) cell.set({ market, counts });
}

let countedAt = 0;
/** Counts again now: after an act, and where what waits is what the page is about. */
export const countAgain = (market: string = cell.get().market): void => {
  if (!market) return;
  countedAt = Date.now();
  void ask(market);
};

/** Counts when the console opens, every half a minute while somebody sees it, and when somebody comes back to it. */
export function useCounting(): void {
  const { market } = usePlace();
  const { state } = useCell(session);
  useEffect(() => {
    if (!market || state !== "in") return undefined;
    const look = (): void => {
      if (!document.hidden && Date.now() - countedAt >= everySeconds * 1000) countAgain(market);
    };
    countAgain(market);
    const timer = setInterval(look, everySeconds * 1000);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [market, state]);
}

export function useCounts(): Counts {
  const { market } = usePlace();
  const known = useCell(cell);
  return known.market === market ? known.counts : {};
}

export const countText = (count: number): string => number(count);
