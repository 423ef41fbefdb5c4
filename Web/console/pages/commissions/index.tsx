import type { Component } from "preact";
import { number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Empty, Loaded, Money } from "../../../shared/ui";
import { Csv, dayFilters, Figure, FilterBar, Page, Part, Table, useFilters, useMoments } from "../../kit";
import { partyName } from "../../states";
import { words } from "./words";

const percent = (basisPoints: number): string => `${number(basisPoints / 100, 2)}%`;

/** What the platform keeps: the rates of now, and what they came to. */
const Commissions: Component = () => {
  const { market } = usePlace();
  const filters = dayFilters();
  const values = useFilters(filters);
  const parameters = { market, ...useMoments(values) };
  const found = useGet("/wallet/v1/markets/{market}/commissions", parameters, ["settings"]);
  return (
    <Page title={words.title} acts={<a class="button second" href={to("settings/commissionBasisPoints")}>{words.change}</a>}>
      <FilterBar filters={filters} values={values}><Csv path="/wallet/v1/markets/{market}/commissions.csv" parameters={parameters} name={`commissions-${market}`} /></FilterBar>
      <Loaded of={found}>
        {({ basisPoints, fineShare, currency, items }) => (
          <>
            <div class="figures"><Figure label={words.ofOrders}>{percent(basisPoints)}</Figure><Figure label={words.ofFines}><Money value={{ amount: fineShare, currency }} /></Figure></div>
            <Part title={words.applied}>
              {items.length === 0 ? <Empty icon="wallet" title={words.none} /> : (
                <Table label={words.applied} items={items} idOf={(one) => `${one.party} ${one.basisPoints}`} columns={[
                  { id: "party", label: words.party, cell: (one) => one.partyText ?? partyName(one.party) },
                  { id: "rate", label: words.rate, end: true, cell: (one) => percent(one.basisPoints) },
                  { id: "payments", label: words.payments, end: true, cell: (one) => number(one.payments) },
                  { id: "revenue", label: words.revenue, end: true, cell: (one) => <Money value={{ amount: one.revenue, currency }} /> },
                  { id: "commission", label: words.commission, end: true, cell: (one) => <Money value={{ amount: one.commission, currency }} /> },
                ]} />
              )}
            </Part>
          </>
        )}
      </Loaded>
    </Page>
  );
};

export default Commissions;
