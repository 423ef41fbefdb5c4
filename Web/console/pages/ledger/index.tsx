import type { Wallet } from "api-types";
import type { Component } from "preact";
import { dayName, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { Empty, Loaded, Money, Note } from "../../../shared/ui";
import { Csv, dayFilters, FilterBar, Fold, Page, Part, Table, useFilters } from "../../kit";
import { kindName, words } from "./words";

const Balance: Component<{ of: Wallet.TrialBalance["items"][number] }> = ({ of: { currency, kinds, sum } }) => (
  <Part title={currency} end={<span class="muted">{words.sum} <Money value={{ amount: sum, currency }} /></span>}>
    <Table label={currency} items={kinds} idOf={(one) => one.kind} columns={[
      { id: "kind", label: words.kind, cell: (one) => kindName(one.kind) },
      { id: "accounts", label: words.accounts, end: true, cell: (one) => number(one.accounts) },
      { id: "balance", label: words.balance, end: true, cell: (one) => <Money value={{ amount: one.balance, currency }} /> },
    ]} />
  </Part>
);

const Day: Component<{ of: Wallet.LedgerDay }> = ({ of: { currency, kinds } }) => (
  <Table label={currency} items={kinds} idOf={(one) => one.kind} columns={[
    { id: "kind", label: words.kind, cell: (one) => kindName(one.kind) },
    { id: "credits", label: words.credits, end: true, cell: (one) => <Money value={{ amount: one.credits, currency }} /> },
    { id: "debits", label: words.debits, end: true, cell: (one) => <Money value={{ amount: one.debits, currency }} /> },
    { id: "balance", label: words.balance, end: true, cell: (one) => <Money value={{ amount: one.balance, currency }} /> },
  ]} />
);

/** The ledger's sums: now, and at the end of each day. */
const Ledger: Component = () => {
  const filters = dayFilters();
  const values = useFilters(filters);
  const now = useGet("/wallet/v1/ledger/trial-balance", {}, ["wallet"]);
  const parameters = { from: values.from, to: values.to };
  const days = useGet("/wallet/v1/ledger/days", parameters, ["wallet"]);
  return (
    <Page title={words.title} intro={words.intro}>
      <Loaded of={now}>
        {(balance) => (
          <>
            <Note tone={balance.isSound ? "good" : "danger"}>{balance.isSound ? words.sound : words.broken}</Note>
            <div class="columns-2 spaced">{balance.items.map((one) => <Balance key={one.currency} of={one} />)}</div>
          </>
        )}
      </Loaded>
      <Part title={words.days}>
        <FilterBar filters={filters} values={values}><Csv path="/wallet/v1/ledger/days.csv" parameters={parameters} name="ledger-days" /></FilterBar>
        <Loaded of={days}>
          {({ items }) => items.length === 0 ? <Empty icon="chart" title={words.noDays} /> : (
            <>{items.map((one) => <Fold key={`${one.day} ${one.currency}`} title={`${dayName(one.day)} · ${one.currency}`}>{() => <Day of={one} />}</Fold>)}</>
          )}
        </Loaded>
      </Part>
    </Page>
  );
};

export default Ledger;
