import type { Component } from "preact";
import { ago, dayAndTime, money } from "../../../../shared/format";
import { to } from "../../../../shared/router";
import { localized } from "../../../../shared/words";
import { Badge, Row } from "../../../../shared/ui";
import type { Order, State } from "../view";

const icons: Record<string, string> = {
  visit: "care", homeCare: "heart", ride: "car", food: "food", bikeDropOff: "bike", bikePickUp: "bike", parcel: "parcel",
};
const tones: Partial<Record<State, "neutral" | "good" | "warning" | "danger" | "accent">> = {
  pending: "warning", requested: "accent", offered: "accent", preparing: "accent", accepted: "accent", enRoute: "accent", arrived: "accent", inProgress: "accent",
  completed: "good", disputed: "warning",
};

/** What an order is of, in a few words. */
export function orderTitle(order: Order): string {
  if (order.parcel) return order.parcel.name;
  if (order.food) return order.food.restaurantName;
  const names = order.services.map((service) => localized(service.name));
  return names.join(" · ") || order.destination?.description || order.label;
}

export const StateBadge: Component<{ order: Order }> = ({ order }) => <Badge tone={tones[order.state] ?? "neutral"}>{order.label}</Badge>;

/** An order in a list: what, with whom, when, how it stands. */
export const OrderRow: Component<{ order: Order; onTap?: () => void }> = ({ order, onTap }) => {
  const other = order.role === "customer" ? order.provider?.name : order.customer.name;
  return (
    <Row icon={icons[order.kind] ?? "orders"} title={orderTitle(order)} href={onTap ? undefined : to(`o/${order.order}`, order.market)} onTap={onTap}
      detail={<>{other && <><bdi>{other}</bdi> · </>}{order.scheduledAt ? dayAndTime(order.scheduledAt) : ago(order.requestedAt)} · {money(order.total)}
        <span class="row-state"><StateBadge order={order} /></span></>} />
  );
};
