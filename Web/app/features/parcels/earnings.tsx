import type { Component } from "preact";
import { day } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { More, usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Button, Empty, List, Loaded, Money, Row, Screen, Section } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Periods } from "../work/periods";
import { words } from "./board-words";

/** What a carrier has made: sums that stay, and the parcels that were carried. */
const Earnings: Component<ScreenProperties> = () => {
  const { id, market } = useMarket();
  const earnings = useGet("/dispatch/v1/markets/{market}/earnings", { market: id }, ["orders", "wallet"]);
  const past = usePages("/dispatch/v1/orders", { role: "provider", section: "past", limit: 20 }, ["orders"], (order) => order.order);
  const delivered = past.items?.filter((order) => order.market === id && order.state === "completed") ?? [];
  return (
    <Screen title={words.earnings}>
      <Loaded of={earnings}>
        {(found) => {
          const sums = found.items.filter((one) => one.kind === "parcel");
          const count = sums.reduce((sum, one) => sum + one.orders, 0);
          return (
            <div class="card">
              <p class="muted">{words.earned}</p>
              {sums.length === 0 ? <p class="display"><Money value={{ amount: 0, currency: market?.currency ?? "SEK" }} /></p>
                : sums.map((one) => <p key={one.amount.currency} class="display"><Money value={one.amount} /></p>)}
              <p>{words.deliveredCount(count)}</p>
            </div>
          );
        }}
      </Loaded>
      <Periods />
      <Button kind="second" icon="wallet" href={to("wallet")}>{words.wallet}</Button>
      <Section title={words.delivered}>
        <Loaded of={past.first}>
          {() => (delivered.length === 0 && !past.hasMore ? <Empty icon="parcel" title={words.noneDelivered}><Button href={to("board")}>{words.board}</Button></Empty> : (
            <>
              <List>{delivered.map((order) => (
                <Row key={order.order} icon="parcel" title={<bdi>{order.parcel?.name ?? order.label}</bdi>} detail={day(order.ended?.at ?? order.changedAt)}
                  end={<Money value={order.total} />} href={to(`o/${order.order}`)} />
              ))}</List>
              <More of={past} />
            </>
          ))}
        </Loaded>
      </Section>
    </Screen>
  );
};

export default Earnings;
