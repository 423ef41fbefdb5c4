import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { duration, money, time } from "../../../../shared/format";
import { api } from "../../../../shared/api/client";
import { invalidate, useGet } from "../../../../shared/resources";
import { Card, Money } from "../../../../shared/ui";
import { cancel, navigate, report } from "../acts";
import type { Act, Kind, View } from "../view";
import { words } from "./btnc/bike-words";
import { words as common } from "./btnc/common";
import { Unlock } from "./btnc/unlock";

/** The clock of a hire and what it costs by now. */
const Meter: Component<{ view: View }> = ({ view }) => {
  const { order } = view;
  const terms = useGet("/dispatch/v1/markets/{market}/hires/terms", { market: order.market });
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, (now - new Date(order.arrivedAt ?? order.changedAt).getTime()) / 1000);
  const clock = new Date(seconds * 1000).toISOString().slice(11, 19);
  const cost = terms.value && {
    amount: Math.max(terms.value.minimum, terms.value.base + Math.round((Math.ceil(seconds) * (order.bike?.perMinute ?? terms.value.perMinute)) / 60)),
    currency: terms.value.held.currency,
  };
  return (
    <Card tone="accent">
      <div class="shown-code">
        <bdi dir="ltr" role="timer" aria-label={words.soFar(duration(seconds))}>{clock}</bdi>
        {cost && <span>{words.costs}: <b><Money value={cost} /></b></span>}
      </div>
    </Card>
  );
};

const HirePart: Component<{ view: View }> = ({ view }) => {
  if (view.isOnlySeen) return null;
  return view.order.state === "accepted" ? <Unlock view={view} /> : view.order.state === "inProgress" ? <Meter view={view} /> : null;
};

const broken: Act = {
  id: "broken", icon: "warning", kind: "quiet", label: () => words.broken, asks: () => ({ title: words.brokenAsk, text: words.brokenText, yes: words.brokenYes, danger: true }),
  run: async ({ order }) => {
    await api.post("/dispatch/v1/hires/{id}/broken", { id: order.order }, {});
    invalidate(`order:${order.order}`, "orders");
  },
};

/** A bike that its rider fetches at a rack and brings back to one: the racks tell both. */
const bikePickUp: Kind = {
  icon: "bike",
  title: () => words.hire,
  steps: () => [words.reserved, words.onHire, words.back],
  part: HirePart,
  ratesFirst: () => words.rateBike,
  rates: () => words.rateRack,
  stages: {
    accepted: {
      customer: {
        says: () => words.ready, hint: (view) => (view.order.deadline ? words.readyUntil(time(view.order.deadline)) : undefined), step: 0,
        acts: [navigate((view) => view.order.place), cancel],
      },
    },
    inProgress: {
      customer: { says: () => words.have, hint: (view) => (view.order.deadline ? words.haveUntil(time(view.order.deadline)) : undefined), step: 1, acts: [broken, report] },
    },
    completed: {
      customer: {
        says: (view) => (view.order.reason === "not-brought-back" ? words.notBack : words.broughtBack),
        hint: (view) => (view.order.reason === "not-brought-back" ? words.notBackHint : words.paysTime(money(view.order.total))), step: 3, acts: [report],
      },
    },
    expired: {
      customer: {
        says: (view) => (view.order.reason === "not-picked-up" ? words.notPicked : view.order.label),
        hint: (view) => (view.order.payment.state === "unpaid" ? undefined : common.backHint),
      },
    },
  },
};

export default bikePickUp;
