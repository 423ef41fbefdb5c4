import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { allowSound, isLoud, setLoud } from "../../../shared/device/attention";
import { useHere } from "../../../shared/device/here";
import { currentPosition } from "../../../shared/device/position";
import { MapView } from "../../../shared/map";
import { useMarket } from "../../../shared/market";
import { posting } from "../../../shared/posting";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Card, List, Money, Note, Rating, Row, Screen, Section, Skeleton, Switch } from "../../../shared/ui";
import { Asks } from "../../asks";
import { PushAsk } from "../../push-ask";
import type { ScreenProperties } from "../../features";
import { OrderRow } from "../order/parts/row";
import { useWork } from "../work/asked";
import { useToday } from "./earned";
import { words } from "./words";

/** Whether one waits for orders. On takes the place of now with it. */
const Waiting: Component<{ market: string }> = ({ market }) => {
  const state = useGet("/dispatch/v1/markets/{market}/availability", { market }, ["availability", "orders"]);
  const { error } = useCell(posting);
  const [sent, setSent] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  if (!state.value) return state.error ? <Note tone="warning">{textOf(state.error)}</Note> : <Skeleton kind="card" rows={1} />;
  const change = async (available: boolean): Promise<void> => {
    allowSound();
    setSent({ isBusy: true });
    try {
      const at = available ? await currentPosition() : undefined;
      await api.put("/dispatch/v1/markets/{market}/availability", { market }, { available, ...(at ? { latitude: at.latitude, longitude: at.longitude } : {}) });
      setSent({ isBusy: false });
    } catch (found) {
      setSent({ isBusy: false, error: found });
    }
    invalidate("availability");
  };
  const on = state.value.available;
  return (
    <>
      <div class="list"><Switch on={on} busy={sent.isBusy} label={<b>{words.waiting}</b>} detail={on ? words.waitingText : words.offText} onChange={(next) => void change(next)} /></div>
      {sent.error ? <Note tone="warning" live>{textOf(sent.error)}</Note> : null}
      {on && !state.value.isSeen && state.value.unseenBecause === "not-verified" && <Note tone="warning" live>{state.value.unseenText} <a href={to("papers/driver")}>{words.unseen}</a></Note>}
      {on && error && <Note tone="warning" live>{error.message}</Note>}
      {on && <PushAsk about="work" />}
    </>
  );
};

/** A driver's one screen: waiting or not, what is under way, where one is, today's money, the own rating. */
const Drive: Component<ScreenProperties> = () => {
  const { id } = useMarket();
  const { account, roles } = useCell(session);
  const here = useHere();
  const at = useCell(posting).last ?? here.at;
  const { running } = useWork(id);
  const today = useToday();
  const [loud, setLoudHere] = useState(isLoud());
  const me = useGet("/identity/v1/markets/{market}/people/{account}", account ? { market: id, account } : null, ["me"]);
  const role = roles.find((one) => one.market === id && one.title === "driver");
  const rating = me.value?.roles.find((one) => one.title === "driver")?.rating;
  return (
    <Screen title={words.title} wide>
      <Asks />
      {role && !role.verified
        ? <Note tone={role.state === "rejected" ? "danger" : "warning"}>{role.state === "rejected" ? words.rejected : words.unverified} <a href={to("papers/driver")}>{words.toPapers}</a></Note>
        : <Waiting market={id} />}
      {running.length > 0 && <Section title={words.running}><List>{running.map((order) => <OrderRow key={order.order} order={order} />)}</List></Section>}
      <div class="pair">
        <Card href={to("earnings")}>
          <span class="muted">{words.today}</span>
          {today ? <><p class="amount"><Money value={{ amount: today.amount, currency: today.currency }} /></p><p class="muted small">{words.trips(today.trips)}</p></> : <Skeleton kind="text" rows={2} />}
        </Card>
        <Card>
          <span class="muted">{words.rating}</span>
          <p class="amount">{rating ? <Rating average={rating.average} count={rating.count} /> : <span class="muted small">{words.noRating}</span>}</p>
        </Card>
      </div>
      {at && <MapView centre={at} follow={at} markers={[{ id: "here", at, label: words.you, look: "here" }]} />}
      <List>
        <Row icon="map" title={words.pickUp} detail={words.pickUpText} href={to("requests")} />
        <Row icon="orders" title={words.past} href={to("orders?section=past")} />
      </List>
      <div class="list"><Switch on={loud} label={words.sound} detail={words.soundText} onChange={(next) => { setLoud(next); setLoudHere(next); }} /></div>
    </Screen>
  );
};

export default Drive;
