import { useEffect } from "preact";
import { api } from "../shared/api/client";
import { Cell, useCell } from "../shared/cell";
import { usePlace } from "../shared/router";
import { session } from "../shared/session";

/** What waits for a decision. A list tells how many of them it has up to a hundred. */
export type Count = "papers" | "reports" | "cashouts" | "desk" | "families" | "approvals" | "removals" | "professions" | "inquiries";
export type Counts = Partial<Record<Count, number>>;

const everyMinutes = 5;
const most = 100;
const cell = new Cell<{ market: string; counts: Counts }>({ market: "", counts: {} });

const questions: Record<Count, (market: string) => Promise<{ items?: unknown[] }>> = {
  papers: (market) => api.get("/identity/v1/markets/{market}/providers", { market, state: "waiting", limit: most }),
  reports: (market) => api.get("/admin/v1/markets/{market}/reports", { market, state: "open", limit: most }),
  cashouts: (market) => api.get("/wallet/v1/markets/{market}/cash-outs", { market, state: "waiting", limit: most }),
  desk: (market) => api.get("/dispatch/v1/markets/{market}/desk", { market, state: "requested", limit: most }),
  families: (market) => api.get("/identity/v1/markets/{market}/links", { market, state: "agreed", limit: most }),
  approvals: (market) => api.get("/wallet/v1/markets/{market}/approvals", { market, state: "waiting", limit: most }),
  removals: (market) => api.get("/identity/v1/markets/{market}/removals", { market, limit: most }),
  inquiries: (market) => api.get("/notifications/v1/markets/{market}/inquiries", { market, answered: "false", limit: most }),
  professions: (market) => api.get("/identity/v1/markets/{market}/title-questions", { market, limit: most }),
};

/** Which of them a market has at all: the others are not asked about. */
const only: Partial<Record<Count, string[]>> = { desk: ["edencare"], families: ["edencare"], professions: ["assef"] };
const hasCount = (count: Count, market: string): boolean => only[count]?.includes(market) ?? true;

async function ask(market: string): Promise<void> {
  const names = (Object.keys(questions) as Count[]).filter((name) => hasCount(name, market));
  const found = await Promise.all(names.map(async (name) => {
    try {
      return [name, ((await questions[name](market)).items ?? []).length] as const;
    } catch {
      // One that cannot be told now is left out; its page says why.
      return [name, undefined] as const;
    }
  }));
  const counts = Object.fromEntries(found.filter(([, number]) => number !== undefined)) as Counts;
  if (JSON.stringify({ market, counts }) !== JSON.stringify(cell.get())) cell.set({ market, counts });
}

let countedAt = 0;
/** Counts again now: after an act, and where what waits is what the page is about. */
export const countAgain = (market: string = cell.get().market): void => {
  if (!market) return;
  countedAt = Date.now();
  void ask(market);
};

/**
 * Counts when the console opens, every few minutes, and when somebody comes back to it. Nothing tells admins of a market what comes to
 * wait, and each of these lists that is read is an entry of the audit log: hence not more often.
 */
export function useCounting(): void {
  const { market } = usePlace();
  const { state } = useCell(session);
  useEffect(() => {
    if (!market || state !== "in") return undefined;
    const isDue = (): boolean => !document.hidden && Date.now() - countedAt > everyMinutes * 60_000;
    const look = (): void => { if (isDue()) countAgain(market); };
    countAgain(market);
    const timer = setInterval(look, 30_000);
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

export const countText = (number: number): string => (number >= most ? `${most - 1}+` : String(number));
