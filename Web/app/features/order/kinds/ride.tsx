import type { Component } from "preact";
import { distance, duration } from "../../../../shared/format";
import { Note } from "../../../../shared/ui";
import { cancel, navigate, report, step } from "../acts";
import type { Act, Kind, View } from "../view";
import { StartWithCode } from "./btnc/code";
import { driverOf, isSaid, nobodyFound, riderOf, timeLeft, words as common } from "./btnc/common";
import { OfferFacts } from "./btnc/offer";
import { ShownCode } from "./btnc/shown-code";
import { words } from "./btnc/ride-words";

const target = (view: View): string => view.order.destination?.description ?? "";
const isSaidBy = (view: View, side: "customer" | "provider"): boolean => isSaid(view, side);
const endsEarly = (view: View): boolean => view.order.ride?.endAskedAt !== undefined;

const met: Act = step("/dispatch/v1/orders/{id}/met", (view) => common.met(driverOf(view)), { kind: "quiet", icon: "check" });
const arrived: Act = step("/dispatch/v1/orders/{id}/met", () => words.iAmThere, { kind: "quiet", icon: "flag", when: (view) => !isSaidBy(view, "provider") });
const endEarly = (label: () => string): Act => step("/dispatch/v1/orders/{id}/end-early", label, {
  kind: "quiet", icon: "flag", when: (view) => view.order.confirmedBy.length === 0,
  asks: () => ({ title: words.endAsk, text: words.endText, yes: label(), danger: true }),
});
const noShow = (label: () => string, text: () => string): Act => step("/dispatch/v1/orders/{id}/no-show", label, {
  kind: "quiet", icon: "person", asks: () => ({ title: label(), text: text(), yes: common.endOrder, danger: true }),
});
const giveUp: Act = step("/dispatch/v1/orders/{id}/give-up", () => common.giveUp, {
  kind: "quiet", icon: "close", leaves: true, asks: () => ({ title: common.giveUpAsk, text: common.giveUpText, yes: common.giveUp, danger: true }),
});
const start: Act = step("/dispatch/v1/orders/{id}/start", () => words.pickedUp, { icon: "check", when: (view) => !view.order.ride?.needsStartCode });
const startByCode: Act = { id: "start-code", icon: "check", label: () => words.pickedUp, sheet: StartWithCode, when: (view) => Boolean(view.order.ride?.needsStartCode) };
const confirm: Act = step("/dispatch/v1/orders/{id}/complete", () => words.confirm, { icon: "check", when: (view) => isSaidBy(view, "provider") });
const finish: Act = step("/dispatch/v1/orders/{id}/complete", (view) => (endsEarly(view) ? words.confirmEnd : words.finish), {
  icon: "flag", when: (view) => !isSaidBy(view, "provider"),
  asks: (view) => ({ title: endsEarly(view) ? words.confirmEnd : words.finishAsk, text: words.finishText }),
});

/** The code of the start, and what ended early. */
const RidePart: Component<{ view: View }> = ({ view }) => {
  const { ride, state } = view.order;
  return (
    <>
      {ride?.startCode && view.side === "customer" && (state === "accepted" || state === "arrived") && <ShownCode label={words.code} code={ride.startCode} hint={words.codeHint} />}
      {ride?.drivenMetres !== undefined && <Note>{words.driven(distance(ride.drivenMetres))}</Note>}
    </>
  );
};

/** A ride: paid, offered to drivers, driven, confirmed by the rider. */
const ride: Kind = {
  icon: "car",
  title: () => words.title,
  steps: () => [words.found, words.pickUp, words.underWay, words.there],
  part: RidePart,
  offer: OfferFacts,
  facts: (view) => {
    const lines: [string, string][] = [];
    const { ride: terms, vehicle } = view.order;
    if (terms) lines.push([words.size, terms.size === "xl" ? words.xl : words.regular], [words.way, `${distance(terms.metres)} · ${duration(terms.seconds)}`]);
    if (vehicle && view.side === "customer" && vehicle !== terms?.size) lines.push([words.vehicle, vehicle === "xl" ? words.xl : words.regular]);
    return lines;
  },
  stages: {
    requested: { customer: { says: () => words.looking, hint: () => words.lookingHint, step: 0, acts: [cancel] } },
    offered: {
      customer: { says: () => words.looking, hint: () => words.lookingHint, step: 0, acts: [cancel] },
      provider: {
        says: () => words.offered, step: 0, clock: () => common.toAnswer,
        acts: [step("/dispatch/v1/orders/{id}/accept", () => common.accept, { icon: "check" }), step("/dispatch/v1/orders/{id}/decline", () => common.decline, { kind: "second", leaves: true })],
      },
    },
    accepted: {
      customer: {
        says: (view) => { const time = timeLeft(view); return time ? words.comesIn(driverOf(view), time) : words.comes(driverOf(view)); },
        hint: (view) => (view.order.place.description ? words.meetAt(view.order.place.description) : undefined),
        step: 1, map: true, acts: [met, cancel, noShow(() => words.didNotCome, () => words.didNotComeText), report],
      },
      provider: {
        says: (view) => { const time = timeLeft(view); return time ? words.fetchIn(riderOf(view), time) : words.fetch(riderOf(view)); },
        hint: (view) => view.order.place.description, step: 1, map: true,
        acts: [step("/dispatch/v1/orders/{id}/arrive", () => words.arrived, { icon: "flag" }), navigate((view) => view.order.place), giveUp, report],
      },
    },
    arrived: {
      customer: {
        says: (view) => words.waits(driverOf(view)), hint: (view) => view.order.place.description, step: 1, map: true,
        acts: [met, cancel, report],
      },
      provider: {
        says: (view) => words.waitFor(riderOf(view)), hint: (view) => (view.order.ride?.needsStartCode ? words.askCode : undefined), step: 1,
        acts: [start, startByCode, noShow(() => words.notHere, () => words.notHereText), giveUp, report],
      },
    },
    inProgress: {
      customer: {
        says: (view) => {
          if (isSaidBy(view, "provider")) return words.saysThere(driverOf(view));
          if (endsEarly(view)) return words.youEnd(driverOf(view));
          const time = timeLeft(view);
          return time ? words.drivesIn(target(view), time) : words.drives(target(view));
        },
        hint: (view) => (isSaidBy(view, "provider") ? words.confirmHint : undefined),
        step: (view) => (isSaidBy(view, "provider") ? 3 : 2), map: (view) => !isSaidBy(view, "provider"),
        acts: [confirm, arrived, endEarly(() => words.endEarly), report],
      },
      provider: {
        says: (view) => {
          if (isSaidBy(view, "provider")) return words.youFinished(riderOf(view));
          if (endsEarly(view)) return words.wantsEnd(riderOf(view));
          const time = timeLeft(view);
          return time ? words.driveIn(riderOf(view), time) : words.drive(riderOf(view));
        },
        hint: (view) => (isSaidBy(view, "provider") ? words.freeHint : target(view) || undefined),
        step: (view) => (isSaidBy(view, "provider") ? 3 : 2), map: (view) => !isSaidBy(view, "provider"),
        acts: [
          finish, { ...navigate((view) => view.order.destination), when: (view) => !isSaidBy(view, "provider") },
          endEarly(() => words.endHere), report,
        ],
      },
    },
    completed: {
      customer: { says: (view) => words.overWith(driverOf(view)), step: 4, acts: [report] },
      provider: { says: (view) => words.over(riderOf(view)), step: 4, acts: [report] },
    },
    expired: { customer: { says: nobodyFound, hint: (view) => (view.order.payment.state === "unpaid" ? undefined : common.backHint) } },
  },
};

export default ride;
