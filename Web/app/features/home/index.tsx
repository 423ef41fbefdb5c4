import type { Component } from "preact";
import { dayAndTime } from "../../../shared/format";
import { lazy } from "../../../shared/lazy";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { catalogue } from "../../../shared/words";
import { Empty, List, Row, Screen, Section, Skeleton } from "../../../shared/ui";
import { textOf } from "../../../shared/api/problem";
import { Asks } from "../../asks";
import type { ScreenProperties } from "../../features";
import { homes } from "./markets";

const words = catalogue({
  running: { en: "Now", ar: "الآن" },
  closed: { en: "This market is not open yet", ar: "هذه الخدمة غير متاحة بعد" },
});

const icons: Record<string, string> = {
  visit: "care", homeCare: "heart", ride: "car", food: "food", bikeDropOff: "bike", bikePickUp: "bike", parcel: "parcel",
};

/** The orders that go on, the newest first: each opens its page. */
export const RunningOrders: Component = () => {
  const orders = useGet("/dispatch/v1/orders", { section: "active", limit: 5 }, ["orders"]);
  if (!orders.value?.items.length) return null;
  return (
    <Section title={words.running}>
      <List>
        {orders.value.items.map((order) => (
          <Row key={order.order} icon={icons[order.kind] ?? "orders"} title={order.label} href={to(`o/${order.order}`, order.market)}
            detail={order.scheduledAt ? dayAndTime(order.scheduledAt) : <bdi>{order.provider?.name ?? order.place.description ?? ""}</bdi>} />
        ))}
      </List>
    </Section>
  );
};

/** A market without a start of its own yet. */
const Closed: Component = () => <Empty icon="info" title={words.closed} />;
const offers = Object.fromEntries(Object.entries(homes).map(([market, load]) => [market, load && lazy(load)]));

/** The start of a customer: what runs, and what can be ordered here. What is offered is the market's own part (`markets.ts`). */
const Home: Component<ScreenProperties> = () => {
  const { id, name, market, error } = useMarket();
  const Offers = offers[id] ?? Closed;
  return (
    <Screen title={name} wide>
      <Asks />
      <RunningOrders />
      {market ? <Offers key={id} /> : error ? <Empty icon="offline" title={textOf(error)} /> : <Skeleton kind="card" />}
    </Screen>
  );
};

export default Home;
