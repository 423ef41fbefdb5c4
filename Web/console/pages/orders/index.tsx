import type { Admin } from "api-types";
import type { Component } from "preact";
import { useMarket } from "../../../shared/market";
import { usePlace } from "../../../shared/router";
import { Badge, Money } from "../../../shared/ui";
import { choiceFilter, Csv, dayFilters, Filter, List, Page, shortId, Split, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { orderStates, stateName, stateTone } from "../../states";
import { Order } from "./one";
import { words } from "./words";

const Orders: Component<PageProperties> = ({ params, query }) => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  // Links from a person's page name one party alone.
  const parties: Filter[] = [
    { name: "customer", label: words.customer, kind: "text", placeholder: words.customerHint },
    { name: "provider", label: words.provider, kind: "text", placeholder: words.providerHint },
  ];
  const filters: Filter[] = [
    { name: "text", label: words.find, kind: "text", placeholder: words.findHint },
    choiceFilter("kind", words.kind, Object.fromEntries((terms?.kinds ?? []).map((one) => [one.kind, one.name]))),
    choiceFilter("state", words.state, Object.fromEntries(orderStates.map((state) => [state, stateName(state)]))),
    ...dayFilters(),
    { name: "account", label: words.person, kind: "text", placeholder: words.personHint },
    ...parties.filter((one) => query.has(one.name)),
  ];
  const values = useFilters(filters);
  const parameters = { ...values, market, state: values.state as Admin.OrderState | undefined };
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Order key={params.id} order={params.id} back="orders" />}>
        <List title={words.title} path="/admin/v1/markets/{market}/orders" parameters={parameters} filters={filters} values={values} tags={["orders"]} empty={words.none}
          end={<Csv path="/admin/v1/markets/{market}/orders.csv" parameters={parameters} name={`orders-${market}`} />}
          idOf={(order) => order.order} hrefOf={(order) => `orders/${order.order}`} open={params.id}
          columns={[
            { id: "order", label: words.order, cell: (order) => <bdi class="code-text">{shortId(order.order)}</bdi> },
            { id: "state", label: words.state, cell: (order) => <Badge tone={stateTone(order.state)}>{stateName(order.state)}</Badge> },
            { id: "kind", label: words.kind, wide: true, cell: (order) => order.kindName },
            { id: "customer", label: words.customer, cell: (order) => <Who {...order.customer} /> },
            { id: "provider", label: words.provider, wide: true, cell: (order) => order.provider && <Who {...order.provider} /> },
            { id: "payment", label: words.payment, wide: true, cell: (order) => order.payment.stateText },
            { id: "total", label: words.total, end: true, cell: (order) => <Money value={order.total} /> },
            { id: "made", label: words.made, cell: (order) => <When at={order.requestedAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Orders;
