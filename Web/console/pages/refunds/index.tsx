import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { reasonOf } from "../../../shared/words";
import { choiceFilter, Csv, dayFilters, Filter, List, Page, shortId, Split, Sum, useFilters, useMoments, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Order } from "../orders/one";
import { words } from "./words";

const path = "/wallet/v1/markets/{market}/refunds";

const Refunds: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("state", words.state, { asked: words.asked, made: words.made }),
    choiceFilter("fundedBy", words.fundedBy, { platform: words.platform, provider: words.provider, merchant: words.merchant, hold: words.hold }), ...dayFilters(),
    { name: "customer", label: words.customer, kind: "text" }, { name: "order", label: words.order, kind: "text" },
  ];
  const values = useFilters(filters);
  const parameters = { market, state: values.state, fundedBy: values.fundedBy, customer: values.customer, order: values.order, ...useMoments(values) } as GetParameters<typeof path>;
  return (
    <Page title={words.title} intro={words.intro}>
      <Split detail={params.id && <Order key={params.id} order={params.id} back="refunds" />}>
        <List title={words.title} path={path} parameters={parameters} filters={filters} values={values} tags={["refunds"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/refunds.csv" parameters={parameters} name={`refunds-${market}`} />}
          idOf={(one) => one.refund} hrefOf={(one) => `refunds/${one.order}`} open={params.id}
          columns={[
            { id: "order", label: words.order, cell: (one) => <bdi class="code-text">{shortId(one.order)}</bdi> },
            { id: "state", label: words.state, cell: (one) => <Badge tone={one.state === "made" ? "good" : "warning"}>{one.stateText ?? words[one.state]}</Badge> },
            { id: "customer", label: words.customer, cell: (one) => <Who account={one.customer} /> },
            { id: "fundedBy", label: words.fundedBy, cell: (one) => one.fundedBy && words[one.fundedBy] },
            { id: "to", label: words.to, wide: true, cell: (one) => words[one.to] },
            { id: "reason", label: words.reason, wide: true, cell: (one) => <bdi>{reasonOf(one.reasonText, one.reason)}</bdi> },
            { id: "amount", label: words.amount, end: true, cell: (one) => <Sum of={one.amount} /> },
            { id: "at", label: words.at, cell: (one) => <When at={one.at} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Refunds;
