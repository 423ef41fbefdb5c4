import type { Component } from "preact";
import { money, number, time } from "../../../../shared/format";
import { to } from "../../../../shared/router";
import { Note } from "../../../../shared/ui";
import { cancel, navigate, report, step } from "../acts";
import type { Act, Kind, Stage, View } from "../view";
import { StartWithCode } from "./btnc/code";
import { driverOf, isSaid, riderOf, timeLeft, words as common } from "./btnc/common";
import { dishesOf } from "./btnc/dishes";
import { AcceptMeal, RefuseMeal } from "./btnc/meal-sheets";
import { words } from "./btnc/meal-words";
import { OfferFacts } from "./btnc/offer";
import { ShownCode } from "./btnc/shown-code";

const restaurantOf = (view: View): string => view.order.food?.restaurantName ?? words.restaurant;
const isReady = (view: View): boolean => view.order.food?.isReady ?? false;
const arrival = (view: View): string | undefined => (view.order.food?.arrivesAt ? words.arrives(time(view.order.food.arrivesAt)) : undefined);
const readyAt = (view: View): string | undefined => (view.order.food?.readyAt && !isReady(view) ? words.readyAt(time(view.order.food.readyAt)) : undefined);

const ready: Act = step("/dispatch/v1/orders/{id}/ready", () => words.ready, { icon: "check", when: (view) => !isReady(view) });
const handOver = (kind: "primary" | "second"): Act => ({ id: "hand-over", icon: "key", kind, label: () => words.handOver, sheet: StartWithCode });
const refuse: Act = { id: "refuse", icon: "close", kind: "quiet", label: () => words.refuse, sheet: RefuseMeal };
const giveUp: Act = step("/dispatch/v1/orders/{id}/give-up", () => common.giveUp, {
  kind: "quiet", icon: "close", leaves: true, asks: () => ({ title: common.giveUpAsk, text: common.giveUpText, yes: common.giveUp, danger: true }),
});
const finish: Act = step("/dispatch/v1/orders/{id}/complete", () => words.finish, {
  icon: "flag", when: (view) => !isSaid(view, "provider"), asks: () => ({ title: words.finishAsk, text: words.finishText, yes: words.finish }),
});
const nobody: Act = step("/dispatch/v1/orders/{id}/no-show", () => words.notHere, {
  kind: "quiet", icon: "person", when: (view) => !isSaid(view, "provider"),
  asks: () => ({ title: words.notHere, text: words.notHereText, yes: words.finish, danger: true }),
});

/** The dishes, the code at the counter, and who fetches it. */
const MealPart: Component<{ view: View }> = ({ view }) => {
  const { food, state, total } = view.order;
  if (!food) return null;
  const isAtCounter = state === "accepted" || state === "arrived";
  return (
    <>
      {food.handOverCode && view.side === "provider" && isAtCounter && <ShownCode label={words.yourCode} code={food.handOverCode} hint={words.codeHint} />}
      {view.side === "provider" && isAtCounter && (
        <Note tone={food.isReady ? "good" : "info"} icon="clock" live>{food.isReady ? words.isReadyNow : food.readyAt && words.readyFrom(time(food.readyAt))}</Note>
      )}
      {view.side !== "customer" && (
        <ul class="list" aria-label={words.title}>
          {dishesOf(view.order).map((item) => (
            <li key={item.item} class="row"><b class="numbers">{number(item.count)} ×</b><span class="row-text"><span class="row-title"><bdi>{item.name}</bdi></span></span>
              {item.price !== undefined && <span class="row-end">{money({ amount: item.price * item.count, currency: total.currency })}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const cooking: Stage = {
  says: (view) => (isReady(view) ? words.isReady(restaurantOf(view)) : words.cooks(restaurantOf(view))), hint: arrival, step: 1, acts: [report],
};
const preparing: Stage = {
  says: (view) => (isReady(view) ? words.readyNow : words.preparing), hint: readyAt, step: 1, acts: [ready, refuse, report],
};

/** A meal: paid, cooked by a restaurant, fetched by a driver with a code, confirmed by the customer. */
const food: Kind = {
  icon: "food",
  title: (view) => (view.side === "merchant" ? words.title : words.titleOf(restaurantOf(view))),
  steps: (view) => (view.side === "merchant" ? [words.fresh, words.cooking, words.fetched] : [words.asked, words.cooking, words.underWay, words.there]),
  part: MealPart,
  offer: OfferFacts,
  rates: () => words.service,
  facts: (view) => (view.side === "merchant" ? [[words.customer, riderOf(view)]] : [[words.restaurant, restaurantOf(view)]]),
  stages: {
    requested: {
      customer: { says: (view) => words.isAsked(restaurantOf(view)), hint: () => words.isAskedHint, step: 0, clock: () => words.toAnswer, acts: [cancel] },
      merchant: {
        says: (view) => words.newOrder(riderOf(view)), step: 0, clock: () => words.toAnswer,
        acts: [{ id: "accept", icon: "check", label: () => words.accept, sheet: AcceptMeal }, { ...refuse, kind: "second" }],
      },
    },
    preparing: { customer: cooking, merchant: preparing },
    offered: {
      customer: cooking, merchant: preparing,
      provider: {
        says: (view) => words.offered(restaurantOf(view)), step: 1, clock: () => words.toAnswer,
        acts: [step("/dispatch/v1/orders/{id}/accept", () => common.accept, { icon: "check" }), step("/dispatch/v1/orders/{id}/decline", () => common.decline, { kind: "second", leaves: true })],
      },
    },
    accepted: {
      customer: {
        ...cooking, map: true,
        hint: (view) => (view.order.food?.arrivesAt ? words.fetchesAt(driverOf(view), time(view.order.food.arrivesAt)) : words.fetches(driverOf(view))),
      },
      provider: {
        says: (view) => words.goTo(restaurantOf(view)), hint: (view) => view.order.place.description, step: 1, map: true,
        acts: [step("/dispatch/v1/orders/{id}/arrive", () => words.arrived, { icon: "flag" }), navigate((view) => view.order.place), giveUp, report],
      },
      merchant: {
        says: (view) => (isReady(view) ? words.waitsDriver(driverOf(view)) : words.comes(driverOf(view))), hint: readyAt, step: 1,
        acts: [ready, handOver("second"), report],
      },
    },
    arrived: {
      customer: { says: (view) => words.isThere(driverOf(view), restaurantOf(view)), hint: arrival, step: 1, map: true, acts: [report] },
      provider: { says: () => words.atCounter, step: 1, acts: [giveUp, report] },
      merchant: { says: (view) => words.driverHere(driverOf(view)), hint: () => words.compare, step: 1, acts: [handOver("primary"), { ...ready, kind: "second" }, report] },
    },
    inProgress: {
      customer: {
        says: (view) => {
          if (isSaid(view, "provider")) return words.saysThere(driverOf(view));
          const left = timeLeft(view);
          return left ? words.bringsIn(driverOf(view), left) : words.brings(driverOf(view));
        },
        hint: (view) => (isSaid(view, "provider") ? words.sealHint : undefined),
        step: (view) => (isSaid(view, "provider") ? 3 : 2), map: (view) => !isSaid(view, "provider"),
        acts: [
          step("/dispatch/v1/orders/{id}/complete", () => words.received, { icon: "check", when: (view) => isSaid(view, "provider") }),
          step("/dispatch/v1/orders/{id}/met", (view) => common.met(driverOf(view)), { kind: "quiet", icon: "check", when: (view) => !isSaid(view, "provider") }),
          report,
        ],
      },
      provider: {
        says: (view) => {
          if (isSaid(view, "provider")) return words.youFinished(riderOf(view));
          const left = timeLeft(view);
          return left ? words.bringIn(riderOf(view), left) : words.bring(riderOf(view));
        },
        hint: (view) => (isSaid(view, "provider") ? words.freeHint : view.order.destination?.description),
        step: (view) => (isSaid(view, "provider") ? 3 : 2), map: (view) => !isSaid(view, "provider"),
        acts: [finish, { ...navigate((view) => view.order.destination), when: (view) => !isSaid(view, "provider") }, nobody, report],
      },
      merchant: { says: (view) => words.gone(driverOf(view)), hint: () => words.goneHint, step: 2, acts: [report] },
    },
    completed: {
      customer: { says: () => words.over, step: 4, acts: [report] },
      provider: { says: () => words.delivered, step: 4, acts: [report] },
      merchant: { says: () => words.soldOver, step: 3, acts: [report] },
    },
    refused: {
      customer: {
        says: (view) => words.refused(restaurantOf(view)), hint: () => common.backHint,
        acts: [{ id: "others", icon: "store", label: () => words.others, href: () => to("food") }],
      },
    },
    expired: {
      customer: {
        says: (view) => (view.order.reason === "accept-window-over" ? words.noAnswer(restaurantOf(view)) : view.order.label),
        hint: (view) => (view.order.payment.state === "unpaid" ? undefined : common.backHint),
        acts: [{ id: "others", icon: "store", label: () => words.others, href: () => to("food") }],
      },
    },
  },
};

export default food;
