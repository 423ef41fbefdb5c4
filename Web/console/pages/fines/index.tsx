import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Money } from "../../../shared/ui";
import { choiceFilter, Csv, dayFilters, Figure, Filter, List, Page, shortId, Split, Sum, useFilters, useMoments, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Order } from "../orders/one";
import { words } from "./words";

const path = "/wallet/v1/markets/{market}/fines";

const Figures: Component<{ from?: string; to?: string }> = (range) => {
  const { market } = usePlace();
  const found = useGet("/wallet/v1/markets/{market}/fine-figures", { market, from: range.from, to: range.to }, ["fines"]).value;
  if (!found) return null;
  const sum = (amount: number): JSX.Element => <Money value={{ amount, currency: found.currency }} />;
  return (
    <div class="figures">
      <Figure label={words.sum}>{number(found.fines)}</Figure><Figure label={words.allAmount}>{sum(found.amount)}</Figure>
      <Figure label={words.unpaidAmount}>{sum(found.unpaid)}</Figure><Figure label={words.toProvider}>{sum(found.providerShare)}</Figure><Figure label={words.toPlatform}>{sum(found.platformShare)}</Figure>
    </div>
  );
};

const Fines: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [choiceFilter("state", words.state, { unpaid: words.unpaid, paid: words.paid }), { name: "account", label: words.account, kind: "text" }, { name: "order", label: words.order, kind: "text" }, ...dayFilters()];
  const values = useFilters(filters);
  const range = useMoments(values);
  const parameters = { market, state: values.state, account: values.account, order: values.order, ...range } as GetParameters<typeof path>;
  return (
    <Page title={words.title}>
      <Figures {...range} />
      <Split detail={params.id && <Order key={params.id} order={params.id} back="fines" />}>
        <List title={words.title} path={path} parameters={parameters} filters={filters} values={values} tags={["fines"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/fines.csv" parameters={parameters} name={`fines-${market}`} />}
          idOf={(one) => one.order} hrefOf={(one) => `fines/${one.order}`} open={params.id}
          columns={[
            { id: "order", label: words.order, cell: (one) => <bdi class="code-text">{shortId(one.order)}</bdi> },
            { id: "state", label: words.state, cell: (one) => <Badge tone={one.state === "paid" ? "good" : "warning"}>{one.stateText}</Badge> },
            { id: "who", label: words.who, cell: (one) => <Who account={one.account} /> },
            { id: "amount", label: words.amount, end: true, cell: (one) => <Sum of={one.amount} /> },
            { id: "toProvider", label: words.toProvider, wide: true, end: true, cell: (one) => <Sum of={{ ...one.amount, amount: one.providerShare }} /> },
            { id: "toPlatform", label: words.toPlatform, wide: true, end: true, cell: (one) => <Sum of={{ ...one.amount, amount: one.platformShare }} /> },
            { id: "charged", label: words.charged, cell: (one) => <When at={one.chargedAt} /> },
            { id: "due", label: words.due, wide: true, cell: (one) => <When at={one.dueAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Fines;
