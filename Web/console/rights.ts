import type { Identity } from "api-types";
import { useCell } from "../shared/cell";
import { marketIds } from "../shared/market";
import { usePlace } from "../shared/router";
import { session } from "../shared/session";

/**
 * What somebody is in a market: `master` is admin of all markets and makes admins, `admin` runs one, `support` reads only. The services
 * decide; this hides what they would refuse.
 */
export type Rank = "master" | "admin" | "support" | "none";

// Roles are an open list: one that this version of the API does not name yet is compared as a text.
const isIn = (roles: Identity.Role[], role: string, market: string): boolean =>
  roles.some((one) => (one.role as string) === role && (one.market === market || one.market === "*"));

export function rankIn(roles: Identity.Role[], market: string): Rank {
  if (roles.some((one) => one.role === "admin" && one.market === "*")) return "master";
  if (isIn(roles, "admin", market)) return "admin";
  return isIn(roles, "support", market) ? "support" : "none";
}

/** The markets that the console shows to somebody. */
export const marketsOf = (roles: Identity.Role[]): string[] => marketIds.filter((market) => rankIn(roles, market) !== "none");

export function useRank(): Rank {
  const { market } = usePlace();
  return rankIn(useCell(session).roles, market);
}

/** Whether acts are offered: all of them to admins, those about admins to master admins alone. */
export function useMay(needs: "admin" | "master" = "admin"): boolean {
  const rank = useRank();
  return rank === "master" || (needs === "admin" && rank === "admin");
}
