import { Part, usePart } from "../../../shared/lazy";
import { common } from "./common";
import { kinds } from "./kinds";
import type { Kind, Order, Side, Stage, Tracking, View } from "./view";

const plain: Kind = { icon: "orders", steps: () => [], stages: {} };
const known = new Map<string, Kind>();
const loads = new Map(Object.entries(kinds).map(([name, load]) => [name, () => load().then((module) => {
  known.set(name, module.default);
  return module.default;
})]));

/** The table of a kind, as soon as it is here. */
export function useKind(name: string | undefined): Part<Kind> {
  const load = name === undefined ? undefined : loads.get(name);
  return usePart(load, name === undefined ? undefined : known.get(name) ?? (load ? undefined : plain));
}

export const sideOf = (order: Order): Side => (order.role === "provider" || order.role === "merchant" ? order.role : "customer");

/** What the page of an order knows; also for cards of it elsewhere. */
export function viewOf(order: Order, market: View["market"], tracking?: Tracking): View {
  const side = sideOf(order);
  return {
    order, side, market, tracking, isOnlySeen: Boolean(order.isOnlySeen) || order.role === "admin",
    name: (side === "provider" ? order.customer.name : order.provider?.name) ?? "",
  };
}

const untold: Stage = { says: (view) => view.order.label };
export const stageOf = (kind: Kind, view: View): Stage =>
  kind.stages[view.order.state]?.[view.side] ?? common[view.order.state]?.[view.side] ?? untold;
