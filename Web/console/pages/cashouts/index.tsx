import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Csv, dayFilters, Filter, List, Page, shortId, Split, Sum, useFilters, useMoments, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { CashOut, stateTone } from "./one";
import { words } from "./words";

const path = "/wallet/v1/markets/{market}/cash-outs";

const CashOuts: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("state", words.state, { waiting: words.waiting, paying: words.paying, paid: words.paid, failed: words.failed, rejected: words.rejected }),
    { name: "account", label: words.account, kind: "text" }, ...dayFilters(),
  ];
  const values = useFilters(filters);
  const parameters = { market, state: values.state, account: values.account, ...useMoments(values) } as GetParameters<typeof path>;
  return (
    <Page title={words.title}>
      <Split detail={params.id && <CashOut key={params.id} cashOut={params.id} />}>
        <List title={words.title} path={path} parameters={parameters} filters={filters} values={values} tags={["cashouts"]} empty={words.none}
          end={<Csv path="/wallet/v1/markets/{market}/cash-outs.csv" parameters={parameters} name={`cash-outs-${market}`} />}
          idOf={(one) => one.cashOut} hrefOf={(one) => `cashouts/${one.cashOut}`} open={params.id}
          columns={[
            { id: "cashout", label: words.cashout, cell: (one) => <bdi class="code-text">{shortId(one.cashOut)}</bdi> },
            { id: "state", label: words.state, cell: (one) => <Badge tone={stateTone(one.state)}>{one.stateText ?? one.state}</Badge> },
            { id: "who", label: words.who, cell: (one) => <Who account={one.account} /> },
            { id: "bank", label: words.bank, wide: true, cell: (one) => <bdi>{one.destination.bankName} …{one.destination.lastFour}</bdi> },
            { id: "amount", label: words.amount, end: true, cell: (one) => <Sum of={one.amount} /> },
            { id: "at", label: words.at, cell: (one) => <When at={one.requestedAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default CashOuts;
