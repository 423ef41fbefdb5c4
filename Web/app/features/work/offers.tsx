import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, Problem, textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { allowSoundAtTouch, ring } from "../../../shared/device/attention";
import { ago, dayAndTime, distance, money } from "../../../shared/format";
import { tellIfGone } from "../../../shared/gone";
import { useMarket } from "../../../shared/market";
import { invalidate } from "../../../shared/resources";
import { go } from "../../../shared/router";
import { localized } from "../../../shared/words";
import { Button, Countdown, Note, Rating, Sheet, toast } from "../../../shared/ui";
import { MapView } from "../../../shared/map";
import { stageOf, useKind, viewOf } from "../order/kind";
import type { Order, View } from "../order/view";
import { usePostingOfWork, useWork } from "./asked";
import { later } from "./later";
import { words } from "./words";

const Lines: Component<{ view: View }> = ({ view }) => {
  const { order } = view;
  return (
    <dl class="facts">
      <dt>{order.isTotalRough ? words.roughPay : words.pay}</dt><dd><strong class="amount">{money(order.total)}</strong></dd>
      <dt>{words.when}</dt><dd>{order.scheduledAt ? dayAndTime(order.scheduledAt) : words.now}</dd>
      {order.metresAway !== undefined && <><dt>{words.where}</dt><dd>{words.away(distance(order.metresAway))}</dd></>}
      {order.destination?.description && <><dt>{words.to}</dt><dd><bdi>{order.destination.description}</bdi></dd></>}
      <dt>{words.received}</dt><dd>{ago(order.changedAt)}</dd>
    </dl>
  );
};

/** A request over the whole screen: what, where, when, pay, and the time that runs down. */
const Offer: Component<{ order: Order; others: number; onAnswer: () => void }> = ({ order, others, onAnswer }) => {
  const { market } = useMarket();
  const kind = useKind(order.kind).found;
  const [busy, setBusy] = useState<"accept" | "decline" | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const [isWith, setWith] = useState(false);
  const [companion, setCompanion] = useState("");
  const keys = useRef({ accept: newKey(), decline: newKey() });
  useEffect(ring, [order.order]);
  const view = viewOf(order, market);
  const seconds = order.deadline ? Math.max(1, (new Date(order.deadline).getTime() - new Date(order.changedAt).getTime()) / 1000) : 0;
  const answer = async (which: "accept" | "decline"): Promise<void> => {
    if (which === "accept" && isWith && companion.trim().split(/\s+/).length < 2) return setFault(words.companionName);
    setBusy(which);
    setFault(undefined);
    onAnswer();
    try {
      if (which === "accept") {
        await api.post("/dispatch/v1/orders/{id}/accept", { id: order.order }, { version: order.version, companion: isWith ? companion.trim() : undefined }, { key: keys.current.accept });
        go(`o/${order.order}`);
      } else {
        await api.post("/dispatch/v1/orders/{id}/decline", { id: order.order }, undefined, { key: keys.current.decline });
        toast(words.declined);
      }
      invalidate(`order:${order.order}`, "orders");
    } catch (error) {
      if (isDecided(error)) keys.current[which] = newKey();
      setFault(textOf(error));
      if (!(error instanceof Problem)) return setBusy(undefined);
      tellIfGone(error);
      invalidate("orders", `order:${order.order}`);
    }
    setBusy(undefined);
  };
  const put = (): void => later.set([...later.get(), order.order]);
  const end = (): void => void setTimeout(() => invalidate("orders"), 1500);
  const Part = kind?.offer;
  // A care partner may ask for another time instead.
  const time = kind && stageOf(kind, view).acts?.find((act) => act.id === "time");
  const Time = time?.sheet;
  return (
    <Sheet title={words.offer} onClose={put} full>
      <div class="offer">
        <div class="offer-head">
          {order.deadline && <Countdown until={order.deadline} seconds={seconds} onEnd={end} />}
          <div class="row-text">
            <p class="display">{kind ? stageOf(kind, view).says(view) : order.label}</p>
            {order.customerRating.average !== undefined && <Rating average={order.customerRating.average} count={order.customerRating.count} />}
          </div>
        </div>
        <p><strong>{order.services.map((one) => localized(one.name)).join(" · ")}</strong></p>
        {Part && <Part view={view} />}
        <Lines view={view} />
        <MapView centre={order.place} zoom={13} markers={[{ id: "place", at: order.place, label: words.where }]} />
        <p class="hint">{words.whereRough}</p>
        {kind?.companion && (
          <label class="check"><input type="checkbox" checked={isWith} onChange={(event) => setWith((event.target as HTMLInputElement).checked)} /><span>{words.companion}</span></label>
        )}
        {isWith && (
          <div class="field"><label for="companion">{words.companionName}</label>
            <div class="input"><input id="companion" value={companion} dir="auto" maxLength={100} autocomplete="off" onInput={(event) => setCompanion((event.target as HTMLInputElement).value)} /></div></div>
        )}
        {fault && <Note tone="warning" live>{fault}</Note>}
        <div class="actions offer-acts">
          <Button icon="check" busy={busy === "accept"} onTap={() => void answer("accept")}>{words.accept} · {money(order.total)}</Button>
          <Button kind="second" busy={busy === "decline"} onTap={() => void answer("decline")}>{words.decline}</Button>
        </div>
        {Time && <Button kind="quiet" icon={time?.icon} onTap={() => setAsking(true)}>{time?.label(view)}</Button>}
        {Time && isAsking && <Time view={view} onClose={() => setAsking(false)} />}
        {others > 0 && <p class="hint center">{words.more(others)}</p>}
      </div>
    </Sheet>
  );
};

/** Tells once what became of a request that is gone without an answer. */
async function tellGone(order: Order): Promise<void> {
  const now = await api.get("/dispatch/v1/orders/{id}", { id: order.order }).catch(() => undefined);
  toast(now?.state === "cancelled" ? words.withdrawn(order.customer.name) : words.missed(order.customer.name));
}

/** Requests for the provider, over whatever is open; and the places of the provider, from whatever is open. */
const Offers: Component = () => {
  const { id } = useMarket();
  const { asked, running, isThere, resource } = useWork(id);
  usePostingOfWork(id, running);
  useEffect(allowSoundAtTouch, []);
  const put = useCell(later);
  const last = useRef<Order | undefined>(undefined);
  const answered = useRef(new Set<string>());
  const open = resource.isOld ? [] : asked.filter((one) => !put.includes(one.order) && (!one.deadline || new Date(one.deadline).getTime() > Date.now()));
  const first = open[0];
  useEffect(() => {
    const former = last.current;
    last.current = first;
    if (isThere && former && former.order !== first?.order && !answered.current.has(former.order) && !put.includes(former.order)) void tellGone(former);
  }, [first?.order, isThere]);
  return first ? <Offer key={first.order} order={first} others={open.length - 1} onAnswer={() => answered.current.add(first.order)} /> : null;
};
export default Offers;
