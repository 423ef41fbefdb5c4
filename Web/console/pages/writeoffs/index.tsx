import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { usePlace } from "../../../shared/router";
import { Csv, dayFilters, Filter, List, Page, Sum, useFilters, useMoments, When, Who } from "../../kit";
import { words } from "./words";

const path = "/wallet/v1/markets/{market}/write-offs";

/** Debts that the platform has paid. */
const WriteOffs: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [{ name: "account", label: words.account, kind: "text" }, ...dayFilters()];
  const values = useFilters(filters);
  const parameters = { market, account: values.account, ...useMoments(values) } as GetParameters<typeof path>;
  return (
    <Page title={words.title} intro={words.intro}>
      <List title={words.title} path={path} parameters={parameters} filters={filters} values={values} tags={["debtors"]} empty={words.none}
        end={<Csv path="/wallet/v1/markets/{market}/write-offs.csv" parameters={parameters} name={`write-offs-${market}`} />}
        idOf={(one) => one.writeOff}
        columns={[
          { id: "account", label: words.account, cell: (one) => <Who account={one.account} /> },
          { id: "amount", label: words.amount, end: true, cell: (one) => <Sum of={one.amount} /> },
          { id: "reason", label: words.reason, cell: (one) => <bdi>{one.reason}</bdi> },
          { id: "by", label: words.by, cell: (one) => <Who account={one.by} /> },
          { id: "approvedBy", label: words.approvedBy, wide: true, cell: (one) => one.approvedBy && <Who account={one.approvedBy} /> },
          { id: "at", label: words.at, cell: (one) => <When at={one.at} /> },
        ]} />
    </Page>
  );
};

export default WriteOffs;
