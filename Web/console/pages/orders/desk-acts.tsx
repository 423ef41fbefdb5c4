import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { dayKey } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { Button, toast } from "../../../shared/ui";
import { clockOf, momentOf } from "../../../shared/zone";
import { Act, openAct, reasonField } from "../../kit";
import { useMay } from "../../rights";
import { words } from "./words";

export const orderTags = (order: string): string[] => ["orders", "desk", `order:${order}`];

/** Asks which partner goes, those who are free and preferred first. Also by a key from the desk. */
export async function askPartner(order: string): Promise<void> {
  try {
    const { items } = await api.get("/dispatch/v1/orders/{id}/partners", { id: order });
    if (items.length === 0) return toast(words.noPartner);
    const rank = (one: (typeof items)[number]): number => (one.isPreferred ? 0 : 1) + (one.isFree ? 0 : 2);
    const options = [...items].sort((a, b) => rank(a) - rank(b)).map((one) => ({
      value: one.account, label: one.name, detail: [one.titleName, one.isFree ? words.free : words.busy, one.isPreferred && words.preferred].filter(Boolean).join(", "),
    }));
    openAct({
      label: words.assign, title: words.assign, text: words.assignText, tags: orderTags(order),
      fields: [{ name: "provider", label: words.partner, kind: "choice", options, initial: options[0].value }],
      send: (values, key) => api.post("/dispatch/v1/orders/{id}/assignment", { id: order }, { provider: String(values.provider) }, { key }),
    });
  } catch (error) {
    toast(textOf(error));
  }
}

const reasonOfCall = (values: Record<string, string | boolean>): { reason?: string } => ({ reason: String(values.reason ?? "").trim() || undefined });

export const Cancel: Component<{ order: string }> = ({ order }) => (
  <Act label={words.cancel} title={words.cancelTitle} text={words.cancelText} look="danger" tags={orderTags(order)} fields={[reasonField({ optional: true })]}
    send={(values, key) => api.post("/dispatch/v1/orders/{id}/cancellation", { id: order }, reasonOfCall(values), { key })} />
);

export const Move: Component<{ order: Pick<Dispatch.Order, "order" | "scheduledAt" | "proposedAt"> }> = ({ order }) => {
  const zone = useMarket().market?.timeZone ?? "UTC";
  const now = order.proposedAt ?? order.scheduledAt;
  return (
    <Act label={words.move} title={words.moveTitle} text={words.moveText} tags={orderTags(order.order)}
      fields={[{ name: "time", label: words.newTime, kind: "datetime-local", initial: now ? `${dayKey(now)}T${clockOf(now, zone)}` : "" }]}
      send={(values) => {
        const [day, clock] = String(values.time).split("T");
        return api.put("/dispatch/v1/orders/{id}/schedule", { id: order.order }, { time: momentOf(day, clock, zone).toISOString() });
      }} />
  );
};

/** What the desk does with a visit, as its state allows. */
export const DeskActs: Component<{ order: Dispatch.Order }> = ({ order }) => {
  const may = useMay();
  if (order.kind !== "homeCare" || !may) return null;
  return (
    <>
      {order.state === "requested" && <Button onTap={() => void askPartner(order.order)}>{words.assign}</Button>}
      {(order.state === "offered" || order.state === "accepted") && (
        <Act label={words.unassign} title={words.unassign} text={words.unassignText} tags={orderTags(order.order)}
          send={() => api.delete("/dispatch/v1/orders/{id}/assignment", { id: order.order })} />
      )}
      {["requested", "offered", "accepted"].includes(order.state) && <Move order={order} />}
      {order.state === "requested" && (
        <Act label={words.refuse} title={words.refuse} text={words.refuseText} look="danger" tags={orderTags(order.order)} fields={[reasonField({ optional: true })]}
          send={(values, key) => api.post("/dispatch/v1/orders/{id}/refusal", { id: order.order }, reasonOfCall(values), { key })} />
      )}
    </>
  );
};
