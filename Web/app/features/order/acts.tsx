import { money } from "../../../shared/format";
import { tellPlace } from "../../../shared/posting";
import { act as send } from "../../../shared/queue";
import { go, to } from "../../../shared/router";
import { toast } from "../../../shared/ui";
import type { Operations } from "api-types";
import { change } from "../care/draft";
import { AskTime } from "./sheets/ask-time";
import { Cancel } from "./sheets/cancel";
import { Report } from "./sheets/report";
import type { Act, View } from "./view";
import { words } from "./words";

type Step = Extract<keyof Operations["post"], `/dispatch/v1/orders/{id}/${string}`>;

/** An act that is one call, such as `arrive`: sent once, also when it was tapped without a connection. After one that `leaves`,
 * the order is not the caller's any more. */
export function step(path: Step, label: (view: View) => string, rest: Omit<Act, "id" | "label" | "run"> & { body?: (view: View) => unknown; leaves?: boolean } = {}): Act {
  const { body, leaves, ...others } = rest;
  return {
    id: path.split("/").pop() as string, label, ...others,
    run: async (view) => {
      const id = view.order.order;
      if (view.side === "provider") await tellPlace();
      const outcome = await send("post", path, { id }, body?.(view) as never, { label: label(view), tags: [`order:${id}`, "orders"] });
      if (outcome === "waiting") toast(words.waitsForNetwork);
      else if (leaves) go("work", { replace: true });
    },
  };
}

export const toPay = (view: View): string => {
  const { total, promo } = view.order;
  return money(promo ? { amount: promo.toPay, currency: total.currency } : total);
};

/** Opens the payment. */
export const pay: Act = {
  id: "pay", icon: "card", label: (view) => words.pay(toPay(view)), href: (view) => to(`pay/${view.order.order}`),
};

/** With what it costs, shown before. */
export const cancel: Act = { id: "cancel", icon: "close", kind: "quiet", label: () => words.cancel, sheet: Cancel };

export const report: Act = { id: "report", icon: "flag", kind: "quiet", label: () => words.report, sheet: Report };

/** The same again: services and place are chosen already. */
export const again = (label: () => string, path: string): Act => ({
  id: "again", icon: "repeat", label, run: async ({ order }) => {
    const { latitude, longitude, description } = order.place;
    change({ services: order.services.map((one) => one.service), place: { latitude, longitude, name: description ?? "" }, note: "", when: undefined });
    go(path);
  },
});

/** The care partner would like another time; an admin sets it. */
export const askTime = (label: () => string): Act => ({ id: "time", icon: "clock", kind: "quiet", label, sheet: AskTime });

/** The way there, in the phone's own map app. */
export const navigate = (where: (view: View) => { latitude: number; longitude: number } | undefined): Act => ({
  id: "navigate", icon: "map", kind: "second", label: () => words.navigate, when: (view) => where(view) !== undefined,
  href: (view) => {
    const at = where(view);
    return at ? `https://www.google.com/maps/dir/?api=1&destination=${at.latitude},${at.longitude}` : "";
  },
});
