import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { number } from "../../../shared/format";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Csv, dayFilters, Filter, List, Page, shortId, Split, Sum, useFilters, useMoments, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Order } from "../orders/one";
import { methodNames, stateNames, words } from "./words";

const path = "/wallet/v1/markets/{market}/payments";

/** All payments; what is open beside the list is the order, with its transfers. No card data is here, nor anywhere in the console. */
const Payments: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("state", words.state, stateNames()), choiceFilter("method", words.method, methodNames()), ...dayFilters(),
    { name: "customer", label: words.customer, kind: "text", placeholder: words.accountHint }, { name: "provider", label: words.provider, kind: "text", placeholder: words.accountHint },
    { name: "order", label: words.order, kind: "text" },
  ];
  const values = useFilters(filters);
  const parameters = { market, state: values.state, method: values.method, customer: values.customer, provider: values.provider, order: values.order, ...useMoments(values) } as GetParameters<typeof path>;
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Order key={params.id} order={params.id} back="payments" />}>
        <List title={words.title} path={path} parameters={parameters} filters={filters} values={values} tags={["orders"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/payments.csv" parameters={parameters} name={`payments-${market}`} />}
          idOf={(one) => one.order} hrefOf={(one) => `payments/${one.order}`} open={params.id}
          columns={[
            { id: "order", label: words.order, cell: (one) => <bdi class="code-text">{shortId(one.order)}</bdi> },
            { id: "state", label: words.state, cell: (one) => <Badge tone={one.state === "captured" ? "good" : one.state === "frozen" ? "danger" : "neutral"}>{one.stateText}</Badge> },
            { id: "method", label: words.method, cell: (one) => one.methodText },
            { id: "customer", label: words.customer, cell: (one) => <Who {...one.customer} /> },
            { id: "provider", label: words.provider, wide: true, cell: (one) => one.provider && <Who {...one.provider} /> },
            { id: "commission", label: words.commission, wide: true, end: true, cell: (one) => `${number(one.commissionBasisPoints / 100, 2)}%` },
            { id: "refusal", label: words.refusal, wide: true, cell: (one) => one.refusalText },
            { id: "discount", label: words.discount, wide: true, end: true, cell: (one) => one.discount && one.discount.amount > 0 && <Sum of={one.discount} /> },
            { id: "amount", label: words.amount, end: true, cell: (one) => <Sum of={one.amount} /> },
            { id: "at", label: words.at, cell: (one) => <When at={one.at} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Payments;
