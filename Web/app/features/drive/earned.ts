import type { Wallet } from "api-types";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { dayKey } from "../../../shared/format";

/** Lines of the statement by which a driver earns. */
export const earns = (line: Wallet.StatementLine, market: string): boolean =>
  line.market === market && line.amount > 0 && (line.kind === "share" || line.kind === "tip" || line.kind === "fine");

/** What was earned today, on the market's clock. */
export function useToday(): { amount: number; currency: string; trips: number } | undefined {
  const { id, market } = useMarket();
  const currency = market?.currency;
  const lines = useGet("/wallet/v1/statement", currency ? { currency, sort: "desc", limit: 100 } : null, ["wallet"]).value;
  if (!lines || !currency) return undefined;
  const today = lines.items.filter((line) => earns(line, id) && dayKey(line.at) === dayKey(Date.now()));
  return { amount: today.reduce((sum, line) => sum + line.amount, 0), currency, trips: new Set(today.filter((line) => line.kind === "share").map((line) => line.order)).size };
}
