import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { Problem, textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { allowSound, isLoud, setLoud } from "../../../shared/device/attention";
import { currentPosition } from "../../../shared/device/position";
import { useMarket } from "../../../shared/market";
import { posting } from "../../../shared/posting";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Button, Card, Empty, List, Note, Row, Screen, Section, Skeleton, Switch } from "../../../shared/ui";
import { Asks } from "../../asks";
import { PushAsk } from "../../push-ask";
import type { ScreenProperties } from "../../features";
import { OrderRow } from "../order/parts/row";
import { useWork } from "./asked";
import { later } from "./later";
import { words } from "./words";

/** The switch, with the permission for one's place where it is needed. */
const Availability: Component<{ market: string }> = ({ market }) => {
  const state = useGet("/dispatch/v1/markets/{market}/availability", { market }, ["availability", "orders", "subscription"]);
  const { error } = useCell(posting);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const on = state.value?.available ?? false;
  const change = async (available: boolean): Promise<void> => {
    allowSound();
    setBusy(true);
    setFault(undefined);
    try {
      const place = available ? await currentPosition() : undefined;
      await api.put("/dispatch/v1/markets/{market}/availability", { market }, { available, latitude: place?.latitude, longitude: place?.longitude });
    } catch (found) {
      setFault(found);
    }
    invalidate("availability");
    setBusy(false);
  };
  const reason = state.value?.unseenBecause;
  // A place that was too old is newer with the next one that this page posts, of which no event tells.
  useEffect(() => {
    if (reason !== "stale-place" || error) return undefined;
    const timer = setInterval(() => void state.reload(), 4000);
    return () => clearInterval(timer);
  }, [reason, error, state.reload]);
  if (!state.value) return state.error ? <Note tone="warning">{textOf(state.error)}</Note> : <Skeleton kind="card" rows={1} />;
  // A running order is no news, and a phone without a place says so itself.
  const isHidden = on && !state.value.isSeen && !["order-running", "switched-off", "not-subscribed"].includes(reason ?? "") && !(reason === "stale-place" && error);
  const { required, endsAt } = state.value.subscription;
  const slug = fault instanceof Problem ? fault.slug : "";
  return (
    <>
      <div class="card flush"><Switch on={on} busy={isBusy} label={<strong>{words.available}</strong>} detail={on ? words.availableText : words.unavailable} onChange={(next) => void change(next)} /></div>
      {fault !== undefined && (
        <Note tone="warning" live>{textOf(fault)}
          {/subscription|subscribed/.test(slug) ? <> <a href={to("subscription")}>{words.subscribe}</a></>
            : fault instanceof Problem && fault.status === 409 ? <> <a href={to("services")}>{words.services}</a></> : null}
        </Note>
      )}
      {required && !endsAt && <Subscribe market={market} />}
      {isHidden && (
        <Note tone="warning" live>{state.value.unseenText} {reason === "no-prices" ? <a href={to("services")}>{words.services}</a>
          : reason === "not-verified" ? <a href={to("papers/")}>{words.toPapers}</a> : null}</Note>
      )}
      {on && error && <Note tone="warning" live>{error.message}</Note>}
      {on && !error && <p class="hint">{words.closedPage}</p>}
      {on && <PushAsk about="work" />}
    </>
  );
};

/** Says that nobody sees the provider, who has no subscription in a market that asks for one. */
const Subscribe: Component<{ market: string }> = ({ market }) => {
  const found = useGet("/wallet/v1/markets/{market}/subscription", { market }, ["subscription", "wallet"]).value;
  // Dispatch hears of a subscription a moment later than the wallet.
  if (!found?.isRequired || found.state === "active") return null;
  return (
    <Note tone="warning" live><div class="stack tight"><span>{found.state === "expired" ? words.subscriptionOver : words.subscriptionNeeded}</span>
      <Button small href={to("subscription")}>{words.subscribe}</Button></div></Note>
  );
};

/** What a provider does now: the switch, requests, orders under way. */
const Work: Component<ScreenProperties> = () => {
  const { id, market } = useMarket();
  const { roles } = useCell(session);
  const { asked, running, isThere, resource } = useWork(id);
  const [loud, setLoudHere] = useState(isLoud());
  const role = roles.find((one) => one.market === id && one.role === "provider");
  const isAssigned = market?.kinds.every((kind) => kind.matching === "assigned") ?? false;
  const sellsServices = market?.kinds.some((kind) => kind.kind === "visit") ?? false;
  return (
    <Screen title={words.title}>
      <Asks />
      {role && role.state !== "verified" && (
        <Note tone={role.state === "rejected" ? "danger" : "warning"}>{role.state === "rejected" ? words.rejected : words.unverified} <a href={to("papers/")}>{words.toPapers}</a></Note>
      )}
      {market ? !isAssigned && role?.state === "verified" && <Availability market={id} /> : <Skeleton kind="card" rows={1} />}
      {asked.length > 0 && (
        <Section title={words.requests}>
          <List>{asked.map((order) => <Asked key={order.order} order={order} />)}</List>
        </Section>
      )}
      <Section title={words.running}>
        {running.length > 0 ? <List>{running.map((order) => <OrderRow key={order.order} order={order} />)}</List>
          : isThere ? <Card><Empty icon="work" title={words.none} text={words.noneText} /></Card>
          : resource.error ? <Note tone="warning">{textOf(resource.error)}</Note> : <Skeleton rows={2} />}
      </Section>
      <Section>
        <List>
          {sellsServices && <Row icon="care" title={words.services} detail={words.servicesText} href={to("services")} />}
          <Row icon="chart" title={words.earnings} href={to("earnings")} />
          <Row icon="orders" title={words.past} href={to("orders?section=past")} />
        </List>
      </Section>
      <div class="card flush"><Switch on={loud} label={words.sound} detail={words.soundText} onChange={(next) => { setLoud(next); setLoudHere(next); }} /></div>
    </Screen>
  );
};

/** A request in the list; a tap shows it over the screen again. */
const Asked: Component<{ order: Parameters<typeof OrderRow>[0]["order"] }> = ({ order }) => (
  <OrderRow order={order} onTap={() => later.set(later.get().filter((one) => one !== order.order))} />
);

export default Work;
