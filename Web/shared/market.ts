import type { Dispatch, Identity } from "api-types";
import { api } from "./api/client";
import { Cell, useCell } from "./cell";
import { localized } from "./words";
import { useGet } from "./resources";
import { usePlace } from "./router";
import { session } from "./session";
import { setZone } from "./format";
import looks from "./markets.json";

export type MarketId = keyof typeof looks;
export const marketIds = Object.keys(looks) as MarketId[];
export const lookOf = (market: string): (typeof looks)[MarketId] => looks[market as MarketId];
export const marketName = (market: string): string => (market in looks ? localized(lookOf(market).name) : "Serai");

/** The open market: what can be ordered here, on which terms, in its words. */
export function useMarket(): { id: string; name: string; market?: Dispatch.Market; isLoading: boolean; error?: unknown } {
  const { market: id } = usePlace();
  const { value, isLoading, error } = useGet("/dispatch/v1/markets/{market}", id ? { market: id } : null, ["market"]);
  if (value) setZone(value.timeZone);
  return { id, name: value?.name ?? marketName(id), market: value, isLoading, error };
}

export type Mode = "customer" | "driver" | "restaurant" | "provider";
const kept = (market: string): string => `serai-mode-${market}`;
const choices = new Cell<Record<string, string>>({});

/** The mode of a role: what it is called by in addresses and forms, its title, or `customer`. */
export const modeOf = (title: string): Mode => (title === "customer" || title === "driver" || title === "restaurant" ? title : "provider");
const modeOfRole = ({ role, title }: { role: string; title?: string }): Mode => modeOf(role === "customer" ? role : title ?? "provider");

/** The modes that the account has in the market. */
export const modesIn = (market: string, roles: Identity.Role[]): Mode[] =>
  [...new Set(roles.filter((role) => role.market === market && role.role !== "admin").map(modeOfRole))];

/** As what somebody uses the app now: chosen in Me, else the account's first role. Visitors are customers. */
export function useMode(): Mode {
  const { market } = usePlace();
  const { roles } = useCell(session);
  const chosen = (useCell(choices)[market] ?? localStorage.getItem(kept(market))) as Mode | null;
  const modes = modesIn(market, roles);
  return chosen && modes.includes(chosen) ? chosen : modes[0] ?? "customer";
}

/** Goes on in a mode, here and, as far as the account knows modes, on its other devices. */
export function chooseMode(market: string, mode: Mode): void {
  keepMode(market, mode);
  api.put("/identity/v1/accounts/me/active-role", {}, {
    market, role: mode === "customer" ? "customer" : "provider", title: mode === "driver" || mode === "restaurant" ? mode : undefined,
  }).catch(() => undefined);
}

function keepMode(market: string, mode: Mode): void {
  localStorage.setItem(kept(market), mode);
  choices.set({ ...choices.get(), [market]: mode });
}

/** On a phone where no mode was chosen yet: as the account was used last elsewhere. */
export function followActiveRole(active: Identity.RoleChoice | undefined, roles: Identity.Role[]): void {
  if (!active || localStorage.getItem(kept(active.market))) return;
  const modes = modesIn(active.market, roles);
  const found = active.title === undefined ? modes.find((mode) => (mode === "customer") === (active.role === "customer")) : modeOfRole(active);
  if (found && modes.includes(found) && active.role !== "admin") keepMode(active.market, found);
}
