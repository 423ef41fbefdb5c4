import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api } from "../../../shared/api/client";
import { Problem, textOf } from "../../../shared/api/problem";
import { allowSound, allowSoundAtTouch, keepAwake, ring } from "../../../shared/device/attention";
import { useMarket } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Empty, List, Note, Row, Screen, Section, Skeleton, Switch, Tabs } from "../../../shared/ui";
import { Asks } from "../../asks";
import { PushAsk } from "../../push-ask";
import type { ScreenProperties } from "../../features";
import type { Order, State } from "../order/view";
import { OrderCard } from "./order-card";
import { Own, useOwn } from "./own";
import { words } from "./words";

type Part = "fresh" | "cooking" | "gone";
const partOf: Partial<Record<State, Part>> = {
  requested: "fresh", preparing: "cooking", offered: "cooking", accepted: "cooking", arrived: "cooking", inProgress: "gone", disputed: "gone",
};

/** Rings when an order comes that was not there before. */
function useRing(fresh: Order[] | undefined): void {
  const known = useRef<string[] | undefined>(undefined);
  const ids = fresh?.map((order) => order.order).join(" ");
  useEffect(allowSoundAtTouch, []);
  useEffect(() => {
    if (ids === undefined) return;
    const now = ids.split(" ").filter(Boolean);
    if (now.some((id) => !known.current?.includes(id))) ring();
    known.current = now;
  }, [ids]);
}

/** Whether orders are taken. */
const OpenSwitch: Component<{ restaurant: Dispatch.Restaurant }> = ({ restaurant }) => {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  useEffect(() => (restaurant.open ? keepAwake() : undefined), [restaurant.open]);
  const change = async (open: boolean): Promise<void> => {
    allowSound();
    setState({ isBusy: true });
    try {
      await api.put("/dispatch/v1/markets/{market}/restaurant/open", { market: restaurant.market }, { open });
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
    invalidate("restaurant");
  };
  return (
    <>
      <div class="list"><Switch on={restaurant.open} busy={state.isBusy} label={<b>{words.open}</b>} detail={restaurant.open ? words.openText : words.closedText} onChange={(on) => void change(on)} /></div>
      {state.error ? (
        <Note tone="warning" live>{textOf(state.error)}{state.error instanceof Problem && state.error.slug === "empty-menu" && <> <a href={to("menu")}>{words.toMenu}</a></>}</Note>
      ) : null}
      {restaurant.open && <PushAsk about="work" />}
    </>
  );
};

/** A restaurant's evening: open or not, and its orders: new, cooking, gone. */
const Kitchen: Component<ScreenProperties> = () => {
  const { id: market } = useMarket();
  const own = useOwn();
  const asked = useGet("/dispatch/v1/orders", own.value ? { role: "merchant", section: "new", limit: 100 } : null, ["orders"]);
  const active = useGet("/dispatch/v1/orders", own.value ? { role: "merchant", section: "active", limit: 100 } : null, ["orders"]);
  const isRead = asked.value !== undefined && active.value !== undefined;
  const [chosen, setChosen] = useState<Part | undefined>(undefined);
  // What was accepted between the two answers is in both.
  const all = new Map([...(asked.value?.items ?? []), ...(active.value?.items ?? [])].map((order) => [order.order, order]));
  const orders = [...all.values()].filter((order) => order.market === market);
  const of = (part: Part): Order[] => orders.filter((order) => partOf[order.state] === part);
  const fresh = of("fresh");
  useRing(isRead ? fresh : undefined);
  const part = chosen ?? (fresh.length || !of("cooking").length ? "fresh" : "cooking");
  const shown = of(part);
  const nothing = { fresh: words.noneFresh, cooking: words.noneCooking, gone: words.noneGone }[part];
  return (
    <Screen title={own.value?.name ?? words.title} wide>
      <Asks />
      <Own of={own}>
        {(restaurant) => (
          <>
            <OpenSwitch restaurant={restaurant} />
            <Tabs label={words.which} value={part} onChoose={(id) => setChosen(id as Part)}
              items={(["fresh", "cooking", "gone"] as const).map((id) => ({ id, label: words[id], count: of(id).length }))} />
            {!isRead ? (asked.error ?? active.error ? <Note tone="warning">{textOf(asked.error ?? active.error)}</Note> : <Skeleton kind="card" rows={2} />)
              : shown.length === 0 ? <Empty icon="food" title={nothing} text={part === "fresh" ? words.noneFreshText : undefined} />
              : <div class="cards">{shown.map((order) => <OrderCard key={order.order} order={order} />)}</div>}
            <Section>
              <List>
                <Row icon="orders" title={words.past} href={to("orders?section=past")} />
                <Row icon="store" title={words.details} detail={words.detailsText} href={to("kitchen/info")} />
              </List>
            </Section>
          </>
        )}
      </Own>
    </Screen>
  );
};

export default Kitchen;
