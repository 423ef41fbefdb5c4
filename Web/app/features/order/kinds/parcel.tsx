import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api, newKey } from "../../../../shared/api/client";
import { isDecided, Problem, textOf } from "../../../../shared/api/problem";
import { dayAndTime, distance, duration, money, number } from "../../../../shared/format";
import { MapView } from "../../../../shared/map";
import { useCell } from "../../../../shared/cell";
import { act as send } from "../../../../shared/queue";
import { positionOf } from "../../../../shared/stream";
import { invalidate } from "../../../../shared/resources";
import { go, to } from "../../../../shared/router";
import { ask, Badge, List, Note, Row, Switch, toast } from "../../../../shared/ui";
import { isolate } from "../../../../shared/words";
import { weight } from "../../parcels/weight";
import { cancel, navigate, report, step } from "../acts";
import type { Act, Kind, View } from "../view";
import { ParcelPhoto } from "./parcel-photo";
import { words as orderWords } from "../words";
import { words } from "./parcel-words";

const waitsForDeposit = (view: View): boolean => view.order.depositState === "awaited";
const isSettled = (view: View): boolean => !waitsForDeposit(view);
const hasDeposit = (view: View): boolean => (view.order.deposit?.amount ?? 0) > 0;
const said = (view: View, side: "customer" | "provider"): boolean => view.order.confirmedBy.includes(side);
const pay = (view: View): string => money(view.order.total);
const deposit = (view: View): string => (view.order.deposit ? money(view.order.deposit) : "");
const isLate = (view: View): boolean => Date.now() > new Date(view.order.changedAt).getTime() + (view.market?.settings.noShowWaitSeconds ?? 900) * 1000;

const tagsOf = (id: string): string[] => [`order:${id}`, "orders", "board", "wallet"];

const keys = new Map<string, string>();
/** Accepting asks once where money is left behind. Only now or not at all: without a connection it does not wait for a moment at which
 * the carrier may be elsewhere. Who was too late is back on the board. */
export const take: Act = {
  id: "take", icon: "check", label: (view) => (view.order.total.amount ? words.takeFor(pay(view)) : words.take),
  asks: (view) => ({ title: words.takeAsk(view.order.parcel?.name ?? ""), text: hasDeposit(view) ? words.takeDeposit(deposit(view)) : words.takeText, yes: words.take }),
  run: async (view) => {
    const id = view.order.order;
    const key = keys.get(id) ?? newKey();
    keys.set(id, key);
    try {
      await api.post("/dispatch/v1/orders/{id}/take", { id }, undefined, { key });
      invalidate(...tagsOf(id));
    } catch (error) {
      if (isDecided(error)) keys.delete(id);
      if (!(error instanceof Problem) || error.slug !== "order-state") throw error;
      invalidate("board");
      toast(words.taken);
      go("board", { replace: true });
    }
  },
};

const haveIt = step("/dispatch/v1/orders/{id}/start", () => words.haveIt, { icon: "parcel", asks: () => ({ title: words.haveItAsk, text: words.haveItText }) });
const pickedUp = step("/dispatch/v1/orders/{id}/start", () => words.pickedUp, {
  icon: "check", when: isSettled, asks: (view) => ({ title: words.pickedUpAsk(view.name), text: words.pickedUpText }),
});
const delivered = step("/dispatch/v1/orders/{id}/complete", () => words.delivered, {
  icon: "check", when: (view) => !said(view, "provider"), asks: () => ({ title: words.deliveredAsk, text: words.deliveredText }),
});
const received = step("/dispatch/v1/orders/{id}/complete", () => words.received, {
  icon: "check", asks: (view) => ({ title: words.receivedAsk, text: view.order.total.amount || hasDeposit(view) ? words.receivedText(view.name) : undefined }),
});
const giveUp: Act = {
  id: "give-up", icon: "close", kind: "quiet", label: () => words.giveUp,
  run: async (view) => {
    const id = view.order.order;
    if (!(await ask({ title: words.giveUpAsk, text: hasDeposit(view) ? words.giveUpDeposit : words.giveUpText, yes: words.giveUp, danger: true }))) return;
    const outcome = await send("post", "/dispatch/v1/orders/{id}/give-up", { id }, undefined as never, { label: words.giveUp, tags: tagsOf(id) });
    if (outcome === "waiting") return toast(orderWords.waitsForNetwork);
    // With a deposit it stays the carrier's until its owner has said who has it.
    if (!hasDeposit(view)) go("board", { replace: true });
    return undefined;
  },
};
const notPickedUp = step("/dispatch/v1/orders/{id}/give-up", () => words.notPickedUp, {
  kind: "second", icon: "close", asks: () => ({ title: words.notPickedUpAsk, text: words.notPickedUpText }),
});
const nobodyCame = step("/dispatch/v1/orders/{id}/no-show", () => words.nobodyCame, {
  kind: "quiet", icon: "person", when: (view) => isSettled(view) && isLate(view), asks: () => ({ title: words.nobodyCameAsk, text: words.notPickedUpText, yes: words.nobodyCame }),
});

/** Until the deposit is locked the parcel is not the carrier's: nothing can be done with it. */
const settled = (acts: Act[]): Act[] => acts.map((act) => ({ ...act, when: (view) => isSettled(view) && (act.when?.(view) ?? true) }));
const toOrigin = navigate((view) => view.order.place);
const toDestination = navigate((view) => view.order.destination);

type Late = NonNullable<NonNullable<View["order"]["parcel"]>["late"]>;
/** By when it is due, and how the pay falls after that. */
function lateText(late: Late): string {
  if (late.percent !== undefined) return late.percent < 100 ? words.latePaid(late.percent) : words.inTime;
  return [late.deliverBy ? words.deliverBy(dayAndTime(late.deliverBy)) : words.deliverWithin(duration(late.seconds)), words.lateFalls(late.lowestPercent)].join(". ");
}

/** The carrier lets the owner follow the way, or no longer. */
const Sharing: Component<{ view: View; on: boolean }> = ({ view, on }) => {
  const [isBusy, setBusy] = useState(false);
  const id = view.order.order;
  const change = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await api.put("/dispatch/v1/orders/{id}/sharing", { id }, { on: next });
    } catch (error) {
      toast(textOf(error));
    }
    invalidate(`order:${id}`, "orders");
    setBusy(false);
  };
  return <div class="card flush"><Switch on={on} busy={isBusy} label={words.share(view.name)} detail={words.shareText} onChange={(next) => void change(next)} /></div>;
};

/** Photo, weight, care, both places on a map, and what is left as a deposit. */
const ParcelPart: Component<{ view: View }> = ({ view }) => {
  const { order } = view;
  const parcel = order.parcel;
  // The first position that comes says that the carrier lets the owner follow.
  const isTold = useCell(positionOf(order.order)) !== undefined;
  useEffect(() => {
    if (isTold && parcel && !parcel.isFollowed && view.side === "customer") invalidate(`order:${order.order}`);
  }, [isTold]);
  if (!parcel) return null;
  const isFar = view.side === "provider" && (order.state === "requested" || waitsForDeposit(view));
  const person = view.side === "customer" ? order.provider : order.customer;
  const markers = [
    { id: "from", at: order.place, label: words.from, icon: "parcel" },
    ...(order.destination ? [{ id: "to", at: order.destination, label: words.to, icon: "flag" }] : []),
  ];
  return (
    <div class="stack">
      <ParcelPhoto view={view} />
      <div class="card stack tight">
        <p class="line"><strong class="grow"><bdi>{parcel.name}</bdi></strong>{parcel.isFragile && <Badge tone="warning">{words.fragile}</Badge>}</p>
        {parcel.description && <p><bdi>{parcel.description}</bdi></p>}
        <p class="muted">{[weight(parcel.grams), distance(parcel.metres)].join(" · ")}</p>
      </div>
      {(order.state !== "inProgress" || (view.side === "customer" && !parcel.isFollowed)) && <MapView centre={order.place} markers={markers} line={order.destination && [order.place, order.destination]} fits />}
      {parcel.minimumRating !== undefined && <Note icon="star">{words.minimumRating(number(parcel.minimumRating, 1))}</Note>}
      {parcel.late && <Note icon="clock" tone={parcel.late.percent !== undefined && parcel.late.percent < 100 ? "warning" : "info"}>{lateText(parcel.late)}</Note>}
      {isFar && <p class="hint">{words.roughPlaces}</p>}
      {hasDeposit(view) && <Note icon="lock" tone={order.depositState === "forfeited" ? "warning" : "info"}>{words.depositIs(view.side === "provider", order.depositState ?? "open", deposit(view))}</Note>}
      {order.state === "inProgress" && view.side === "customer" && <p class="hint">{parcel.isFollowed ? words.youFollow(view.name) : words.notFollowed(view.name)}</p>}
      {order.state === "inProgress" && view.side === "provider" && <Sharing view={view} on={parcel.isFollowed ?? false} />}
      {person?.account && <List><Row icon="person" title={words.profileOf(isolate(person.name))} href={to(`people/${person.account}`)} /></List>}
    </div>
  );
};

/** A parcel between private persons: paid, on the board, taken by a carrier, handed over, delivered; the owner says both. */
const parcel: Kind = {
  icon: "parcel",
  title: (view) => view.order.parcel?.name ?? words.title,
  steps: () => [words.onBoard, words.accepted, words.travelling, words.arrived],
  part: ParcelPart,
  stages: {
    requested: {
      customer: { says: () => words.waits, hint: (view) => (view.order.reason ? words.againOnBoard : words.waitsHint), step: 0, acts: [cancel] },
      provider: { says: (view) => words.isOffered(view.order.customer.name), hint: (view) => (hasDeposit(view) ? words.takeDeposit(deposit(view)) : words.offeredHint(pay(view))), step: 0, acts: [take] },
    },
    accepted: {
      customer: {
        says: (view) => (waitsForDeposit(view) ? words.depositAwaited(view.name) : words.comesForIt(view.name)),
        hint: (view) => (waitsForDeposit(view) ? words.depositAwaitedHint : words.comesHint), step: 1, acts: [pickedUp, nobodyCame, report],
      },
      provider: {
        says: (view) => (waitsForDeposit(view) ? words.locking(deposit(view)) : words.fetch(view.name)),
        hint: (view) => (waitsForDeposit(view) ? words.lockingHint : words.fetchHint), step: 1, acts: settled([haveIt, toOrigin, giveUp, report]),
      },
    },
    arrived: {
      customer: { says: (view) => words.wasItPickedUp(view.name), hint: () => words.wasItHint, step: 1, acts: [pickedUp, notPickedUp, nobodyCame, report] },
      provider: { says: (view) => words.ownerAsked(view.name), hint: () => words.ownerAskedHint, step: 1, acts: settled([{ ...toDestination, kind: "second" }, report]) },
    },
    inProgress: {
      customer: {
        says: (view) => (said(view, "provider") ? words.saysDelivered(view.name) : words.isTravelling(view.name)),
        hint: (view) => (said(view, "provider") ? words.saysDeliveredHint : words.travellingHint), step: 2, map: (view) => view.order.parcel?.isFollowed ?? false, acts: [received, report],
      },
      provider: {
        says: (view) => (said(view, "provider") ? words.ownerConfirms(view.name) : words.bringIt),
        hint: (view) => (said(view, "provider") ? words.ownerConfirmsHint : words.bringHint(pay(view))), step: 2, map: true, acts: settled([delivered, { ...toDestination, kind: "second" }, report]),
      },
    },
    completed: {
      customer: { says: () => words.isDelivered, step: 9, acts: [report] },
      provider: { says: () => words.youDelivered, hint: (view) => words.paidOut(hasDeposit(view)), step: 9, acts: [report] },
    },
  },
};

export default parcel;
