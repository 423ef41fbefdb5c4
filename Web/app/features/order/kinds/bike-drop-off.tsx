import type { Component } from "preact";
import { distance } from "../../../../shared/format";
import { cancel, navigate, report, step } from "../acts";
import type { Act, Kind, View } from "../view";
import { words } from "./btnc/bike-words";
import { driverOf, isSaid, nobodyFound, riderOf, timeLeft, words as common } from "./btnc/common";
import { OfferFacts } from "./btnc/offer";
import { Unlock } from "./btnc/unlock";

const noShow = (label: () => string, text: () => string): Act => step("/dispatch/v1/orders/{id}/no-show", label, {
  kind: "quiet", icon: "person", when: (view) => view.order.confirmedBy.length === 0,
  asks: () => ({ title: label(), text: text(), yes: common.endOrder, danger: true }),
});
const didNotCome = noShow(() => words.didNotCome, () => words.didNotComeText);
const giveUp: Act = step("/dispatch/v1/orders/{id}/give-up", () => common.giveUp, {
  kind: "quiet", icon: "close", leaves: true, asks: () => ({ title: common.giveUpAsk, text: common.giveUpText, yes: common.giveUp, danger: true }),
});
const looking = { says: () => words.looking, hint: () => words.lookingHint, step: 0, acts: [cancel] };

const DropOffPart: Component<{ view: View }> = ({ view }) =>
  view.side === "provider" && view.order.state === "arrived" ? <Unlock view={view} /> : null;

/** A bike that a driver takes out of a rack and brings; both say that it is there. */
const bikeDropOff: Kind = {
  icon: "bike",
  title: () => words.dropOff,
  steps: () => [words.search, words.rack, words.underWay, words.there],
  part: DropOffPart,
  offer: OfferFacts,
  facts: (view) => {
    const { bike } = view.order;
    const lines: [string, string][] = [];
    if (bike?.type) lines.push([words.type, words[bike.type]]);
    if (bike?.metres !== undefined) lines.push([words.way, distance(bike.metres)]);
    return lines;
  },
  stages: {
    requested: { customer: looking },
    offered: {
      customer: looking,
      provider: {
        says: () => words.offered, step: 0, clock: () => common.toAnswer,
        acts: [step("/dispatch/v1/orders/{id}/accept", () => common.accept, { icon: "check" }), step("/dispatch/v1/orders/{id}/decline", () => common.decline, { kind: "second", leaves: true })],
      },
    },
    accepted: {
      customer: { says: (view) => words.fetches(driverOf(view)), step: 1, map: true, acts: [cancel, didNotCome, report] },
      provider: {
        says: (view) => words.goTo(view.order.place.description ?? ""), step: 1, map: true,
        acts: [step("/dispatch/v1/orders/{id}/arrive", () => words.arrived, { icon: "flag" }), navigate((view) => view.order.place), giveUp, report],
      },
    },
    arrived: {
      customer: { says: (view) => words.atRack(driverOf(view)), step: 1, map: true, acts: [cancel, didNotCome, report] },
      provider: { says: () => words.takeOut, hint: () => words.takeOutHint, step: 1, acts: [giveUp, report] },
    },
    inProgress: {
      customer: {
        says: (view) => {
          if (isSaid(view, "customer")) return words.youSaid(driverOf(view));
          if (isSaid(view, "provider")) return words.saysThere(driverOf(view));
          const left = timeLeft(view);
          return left ? words.bringsIn(driverOf(view), left) : words.brings(driverOf(view));
        },
        hint: (view) => (isSaid(view, "provider") && !isSaid(view, "customer") ? words.confirmHint : undefined),
        step: (view) => (view.order.confirmedBy.length ? 3 : 2), map: (view) => view.order.confirmedBy.length === 0,
        acts: [
          step("/dispatch/v1/orders/{id}/complete", () => words.received, { icon: "check", when: (view) => !isSaid(view, "customer") }),
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
        step: (view) => (view.order.confirmedBy.length ? 3 : 2), map: (view) => !isSaid(view, "provider"),
        acts: [
          step("/dispatch/v1/orders/{id}/complete", () => words.droppedOff, {
            icon: "flag", when: (view) => !isSaid(view, "provider"), asks: () => ({ title: words.droppedAsk, text: words.freeText, yes: words.droppedOff }),
          }),
          { ...navigate((view) => view.order.destination), when: (view) => !isSaid(view, "provider") },
          noShow(() => words.notHere, () => words.notHereText), report,
        ],
      },
    },
    completed: {
      customer: { says: () => words.over, hint: () => words.useUntil, step: 4, acts: [report] },
      provider: { says: () => words.over, step: 4, acts: [report] },
    },
    expired: { customer: { says: nobodyFound, hint: (view) => (view.order.payment.state === "unpaid" ? undefined : common.backHint) } },
  },
};

export default bikeDropOff;
