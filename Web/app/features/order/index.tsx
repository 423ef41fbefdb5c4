import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { isOnline } from "../../../shared/api/connection";
import { Problem, textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { time } from "../../../shared/format";
import { NotFetched } from "../../../shared/lazy";
import { useMarket } from "../../../shared/market";
import { takeBack } from "../../../shared/queue";
import { invalidate, useGet } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { positionOf } from "../../../shared/stream";
import { waiting } from "../../../shared/waiting";
import { ask, Button, Countdown, Empty, List, Note, Row, Screen, Section, Skeleton, Stepper, useSecondsLeft } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { PushAsk } from "../../push-ask";
import { Support } from "../../support";
import { tabsOf } from "../../tabs";
import { sideOf, stageOf, useKind, viewOf } from "./kind";
import { Facts } from "./parts/facts";
import { LiveMap } from "./parts/live-map";
import { MoneyPart, usePayment } from "./parts/money";
import { PersonCard } from "./parts/person";
import { TalkPart } from "./parts/talk";
import { RatingPart } from "./parts/rating";
import { Reports } from "./parts/reports";
import { TipPart } from "./parts/tip";
import { Timeline } from "./parts/trip";
import type { Act, Kind, Order, Tracking, View } from "./view";
import { words } from "./words";

/** Where the provider is: the newest of what was asked for and what the stream tells. */
function useTracking(order: Order | undefined, isMoving: boolean): Tracking | undefined {
  const id = order?.order ?? "";
  const told = useCell(positionOf(id));
  const asked = useGet("/dispatch/v1/orders/{id}/tracking", isMoving ? { id } : null, [`order:${id}`]).value;
  if (!isMoving) return undefined;
  if (told && (!asked?.position || told.at >= asked.position.at)) {
    return { ...asked, position: { latitude: told.latitude, longitude: told.longitude, at: told.at }, metresLeft: told.metresLeft, secondsLeft: told.secondsLeft };
  }
  return asked;
}

/** Runs until the deadline: a ring for minutes, a line for longer waits. */
const Clock: Component<{ view: View; label: string }> = ({ view, label }) => {
  const deadline = view.order.deadline as string;
  const left = useSecondsLeft(deadline);
  const whole = (new Date(deadline).getTime() - new Date(view.order.changedAt).getTime()) / 1000;
  if (left > 3600 || whole > 3600) return <p class="muted">{words.until(time(deadline))} {label}</p>;
  // The service says soon that the time is over; it is asked a moment after.
  const end = (): void => void setTimeout(() => invalidate(`order:${view.order.order}`, "orders"), 1500);
  return <div class="line clock"><Countdown until={deadline} seconds={Math.max(whole, 1)} size={72} onEnd={end} /><span class="muted">{label}</span></div>;
};

function useActs(view: View): { run: (act: Act) => void; busy?: string; fault?: string; open?: Act; close: () => void } {
  const [busy, setBusy] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [open, setOpen] = useState<Act | undefined>(undefined);
  // Why something was refused stays until the order goes on; that somebody came near, say, is another version, too.
  useEffect(() => setFault(undefined), [view.order.state, view.order.confirmedBy.length]);
  const start = async (act: Act): Promise<void> => {
    const asked = act.asks?.(view);
    if (asked && !(await ask({ ...asked, yes: asked.yes ?? act.label(view) }))) return;
    setBusy(act.id);
    setFault(undefined);
    try {
      await act.run?.(view);
    } catch (error) {
      setFault(textOf(error));
      if (error instanceof Problem && error.status === 409) invalidate(`order:${view.order.order}`);
    }
    setBusy(undefined);
  };
  return { busy, fault, open, close: () => setOpen(undefined), run: (act) => (act.sheet ? setOpen(act) : void start(act)) };
}

/** What is said by the clock stays true while nobody touches the page. */
function useMinutes(): void {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((n) => n + 1), 20_000);
    return () => clearInterval(timer);
  }, []);
}

const isBig = (act: Act): boolean => act.kind !== "quiet";

const Page: Component<{ order: Order; kind: Kind; isOld: boolean }> = ({ order, kind, isOld }) => {
  const { market } = useMarket();
  const side = sideOf(order);
  const plainView = viewOf(order, market);
  const stage = stageOf(kind, plainView);
  const isMoving = typeof stage.map === "function" ? stage.map(plainView) : Boolean(stage.map);
  const tracking = useTracking(order, isMoving);
  const view = { ...plainView, tracking };
  useMinutes();
  const payment = usePayment(view);
  const acts = useActs(view);
  const queued = useCell(waiting).filter((one) => one.parameters.id === order.order);
  const can = view.isOnlySeen ? [] : (stage.acts ?? []).filter((act) => act.when?.(view) ?? true);
  const big = can.filter(isBig);
  const steps = kind.steps(view);
  const at = typeof stage.step === "function" ? stage.step(view) : stage.step;
  const clock = order.deadline && !isOld ? stage.clock?.(view) : undefined;
  const hint = stage.hint?.(view);
  const title = kind.title?.(view) ?? order.kindName ?? words.order;
  const Open = acts.open?.sheet;
  const Part = kind.part;
  const footer = big.length > 0 && (
    <>
      {acts.fault && <Note tone="warning" live>{acts.fault}</Note>}
      {big.map((act, index) => (
        <Button key={act.id} kind={act.kind ?? (index === 0 ? "primary" : "second")} icon={act.icon} busy={acts.busy === act.id} href={act.href?.(view)}
          disabled={queued.some((one) => one.error === undefined && one.path.endsWith(`/${act.id}`))} onTap={act.href ? undefined : () => acts.run(act)}>{act.label(view)}</Button>
      ))}
    </>
  );
  return (
    <Screen title={title} back={side === "customer" ? "orders" : tabsOf(order.market, side === "merchant" ? "restaurant" : "provider")[0].path} footer={footer || undefined}>
      <div class="order-state">
        <p class="display" role="status" aria-live="polite">{stage.says(view)}</p>
        {hint && <p class="muted">{hint}</p>}
        {clock && <Clock key={order.deadline} view={view} label={clock} />}
      </div>
      {order.warnings?.map((one) => <Note key={one.code} tone="warning">{one.text}</Note>)}
      {!footer && acts.fault && <Note tone="warning" live>{acts.fault}</Note>}
      {queued.map((one) => (
        <Note key={one.id} tone={one.error === undefined ? "info" : "warning"} icon={one.error === undefined ? "offline" : undefined}>
          {one.label} · {one.error ?? words.waitsForNetwork} <button type="button" class="link" onClick={() => void takeBack(one.id)}>{one.error === undefined ? words.takeBack : words.seen}</button>
        </Note>
      ))}
      {at !== undefined && steps.length > 0 && <Stepper steps={steps} current={at} />}
      {side === "customer" && !view.isOnlySeen && at !== undefined && <PushAsk about="order" />}
      {isMoving && <LiveMap view={view} icon={kind.icon} />}
      <PersonCard view={view} />
      <TalkPart view={view} />
      {Part && <Part view={view} />}
      <RatingPart view={view} kind={kind} />
      <TipPart view={view} payment={payment} />
      <MoneyPart view={view} payment={payment} />
      <Facts view={view} kind={kind} />
      <Timeline view={view} />
      <Reports view={view} />
      {can.some((act) => !isBig(act)) && (
        <Section>
          <List>{can.filter((act) => !isBig(act)).map((act) => (
            <Row key={act.id} icon={act.icon} title={act.label(view)} href={act.href?.(view)} onTap={act.href ? undefined : () => acts.run(act)} />
          ))}</List>
        </Section>
      )}
      <Support />
      {Open && <Open view={view} onClose={acts.close} />}
    </Screen>
  );
};

/** A meal is fetched at its restaurant, which has a name in the reader's language. */
const named = (order: Order | undefined): Order | undefined =>
  order?.food && order.place.description ? { ...order, place: { ...order.place, description: order.food.restaurantName } } : order;

/** The one page of an order, for each of its parties and every kind. */
const OrderPage: Component<ScreenProperties> = ({ params }) => {
  const id = params.order;
  const found = useGet("/dispatch/v1/orders/{id}", { id }, [`order:${id}`]);
  const order = { ...found, value: named(found.value) };
  const kind = useKind(order.value?.kind);
  const online = useCell(isOnline);
  const { market } = usePlace();
  const owner = order.value?.market;
  // The inbox does not say of which market an order is.
  useEffect(() => {
    if (owner && owner !== market) go(to(`o/${id}`, owner), { replace: true });
  }, [owner, market]);
  // It may be somebody else's by now, with nothing left to do for who reads.
  const isGone = order.error instanceof Problem && [403, 404].includes(order.error.status);
  if (order.value && kind.found && !isGone) return <Page key={id} order={order.value} kind={kind.found} isOld={order.isOld || !online} />;
  if (kind.error) return <Screen title={words.order} back="orders"><NotFetched of={kind} /></Screen>;
  if (isGone || (order.error && !order.value)) {
    return (
      <Screen title={words.order} back="orders">
        <Empty icon={isGone ? "search" : "offline"} title={isGone ? words.missing : textOf(order.error)} text={isGone ? words.missingText : undefined}>
          <Button href={to("orders")}>{words.toOrders}</Button>
        </Empty>
      </Screen>
    );
  }
  return <Screen title={words.order} back="orders"><Skeleton kind="text" rows={2} /><Skeleton kind="card" rows={3} /></Screen>;
};

export default OrderPage;
