import type { Component } from "preact";
import { useEffect } from "preact";
import { dayKey, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded, Money, Skeleton } from "../../../shared/ui";
import { countAgain, countText, useCounts } from "../../counts";
import { Code, Figure, Page, Part, Table, When, Who } from "../../kit";
import { hasOrders, isThere, pages, pageTitle } from "../../pages";
import { orderStates, stateName, stateTone } from "../../states";
import { LiveMap } from "./map";
import { words } from "./words";

/** Sums of the day: orders, money, people. */
const Figures: Component<{ market: string; day: string }> = ({ market, day }) => {
  const range = { market, from: day, to: day };
  const money = useGet("/admin/v1/markets/{market}/money", range, ["orders"]);
  const statistics = useGet("/admin/v1/markets/{market}/statistics", range, ["orders"]);
  const people = statistics.value?.days[0];
  const moved = useGet("/wallet/v1/markets/{market}/day-figures", range, ["refunds", "cashouts", "fines"]).value?.items[0];
  return (
    <Loaded of={money}>
      {({ total, currency, heldNow }) => {
        const sum = (amount: number): JSX.Element => <Money value={{ amount, currency }} />;
        return (
          <>
            <div class="figures">
              <Figure label={words.requested} href={to(`orders?from=${day}&to=${day}`)}>{number(total.requested)}</Figure>
              <Figure label={words.completed} href={to(`orders?state=completed&from=${day}&to=${day}`)}>{number(total.completed)}</Figure>
              <Figure label={words.revenue}>{sum(total.revenue)}</Figure>
              <Figure label={words.commission}>{sum(total.commission)}</Figure>
              <Figure label={words.held}>{sum(heldNow)}</Figure>
              {moved && <Figure label={words.refunds} href={to(`refunds?from=${day}&to=${day}`)}>{sum(moved.refunds.amount)}</Figure>}
              {moved && <Figure label={words.cashOuts} href={to("cashouts?state=paid")}>{sum(moved.cashOuts.amount)}</Figure>}
              {people && <Figure label={words.registered}>{number(people.registered)}</Figure>}
            </div>
            <States of={total.orders} day={day} />
          </>
        );
      }}
    </Loaded>
  );
};

/** Where nothing is ordered: people alone. */
const PeopleFigures: Component<{ market: string; day: string }> = ({ market, day }) => {
  const statistics = useGet("/admin/v1/markets/{market}/statistics", { market, from: day, to: day }, ["people"]);
  return (
    <Loaded of={statistics}>
      {({ days }) => <div class="figures"><Figure label={words.registered} href={to("people")}>{number(days[0]?.registered ?? 0)}</Figure></div>}
    </Loaded>
  );
};

const States: Component<{ of: Record<string, number>; day: string }> = ({ of, day }) => {
  const known = orderStates.filter((state) => of[state]);
  return (
    <Part title={words.byState}>
      {known.length === 0 ? <p class="muted">{words.noOrders}</p> : (
        <Table label={words.byState} items={known} idOf={(state) => state} columns={[
          { id: "state", label: words.state, cell: (state) => <a href={to(`orders?state=${state}&from=${day}&to=${day}`)}>{stateName(state)}</a> },
          { id: "number", label: words.number, end: true, cell: (state) => number(of[state]) },
        ]} />
      )}
    </Part>
  );
};

const Waits: Component = () => {
  const { market } = usePlace();
  const counts = useCounts();
  useEffect(() => countAgain(market), [market]);
  const waiting = pages.filter((page) => page.count && counts[page.count] && isThere(page, market));
  return (
    <Part title={words.waits} end={<a href={to("decisions")}>{words.all}</a>}>
      {Object.keys(counts).length === 0 ? <Skeleton rows={1} /> : waiting.length === 0 ? <p class="muted">{words.nothingWaits}</p> : (
        <div class="figures">
          {waiting.map((page) => <Figure key={page.path} label={pageTitle(page)} href={to(page.path)} tone="warning">{countText(counts[page.count as "papers"] ?? 0)}</Figure>)}
        </div>
      )}
    </Part>
  );
};

/** Reports whose time for a decision is over, and visits whose time nears without anybody to do them. */
const Overdue: Component<{ market: string }> = ({ market }) => {
  const reports = useGet("/admin/v1/markets/{market}/reports", { market, overdue: "true", limit: 20 }, ["reports"]);
  const desk = useGet("/dispatch/v1/markets/{market}/desk", market === "edencare" ? { market, state: "requested", limit: 100 } : null, ["desk"]);
  const late = (desk.value?.items ?? []).filter((order) => order.care?.isLate);
  const found = reports.value?.items ?? [];
  return (
    <Part title={words.overdue}>
      {found.length + late.length === 0 ? <p class="muted">{words.nothingOverdue}</p> : (
        <ul class="timeline">
          {found.map((one) => <li key={one.report}><When at={one.at} /><span>{words.report} <a href={to(`reports/${one.report}`)}>{one.reasonText}</a></span></li>)}
          {late.map((one) => <li key={one.order}><When at={one.scheduledAt} /><span>{words.visit} <a href={to(`desk/${one.order}`)}><bdi>{one.customer.name}</bdi></a></span></li>)}
        </ul>
      )}
    </Part>
  );
};

const Newest: Component<{ market: string }> = ({ market }) => {
  const orders = useGet("/admin/v1/markets/{market}/orders", { market, limit: 10 }, ["orders"]);
  return (
    <Part title={words.newest}>
      <Loaded of={orders}>
        {({ items = [] }) => items.length === 0 ? <Empty icon="orders" title={words.noOrders} /> : (
          <Table label={words.newest} items={items} idOf={(order) => order.order} columns={[
            { id: "order", label: words.order, cell: (order) => <Code value={order.order} href={to(`orders/${order.order}`)} /> },
            { id: "state", label: words.state, cell: (order) => <Badge tone={stateTone(order.state)}>{stateName(order.state)}</Badge> },
            { id: "customer", label: words.customer, cell: (order) => <Who {...order.customer} /> },
            { id: "total", label: words.total, end: true, cell: (order) => <Money value={order.total} /> },
            { id: "when", label: words.when, wide: true, cell: (order) => <When at={order.requestedAt} /> },
          ]} />
        )}
      </Loaded>
    </Part>
  );
};

const Today: Component = () => {
  const { market } = usePlace();
  const day = dayKey(Date.now());
  if (!hasOrders(market)) return <Page title={words.title}><PeopleFigures market={market} day={day} /><Waits /></Page>;
  return (
    <Page title={words.title}>
      <Figures market={market} day={day} />
      <div class="columns-2"><div><Waits /><Overdue market={market} /></div><Newest market={market} /></div>
      <LiveMap />
    </Page>
  );
};

export default Today;
