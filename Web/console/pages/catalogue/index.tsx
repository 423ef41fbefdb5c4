import type { Component } from "preact";
import { number } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Empty, Loaded, Money } from "../../../shared/ui";
import { Page, Part, Table } from "../../kit";
import { partyName, stateName } from "../../states";
import { words } from "./words";

/** What the market sells and what things are called in it. To be read: nothing of it can be changed by the API yet but prices. */
const Catalogue: Component = () => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const services = useGet("/dispatch/v1/markets/{market}/services", { market }, ["market"]);
  const titleName = (id: string): string => terms?.titles.find((title) => title.id === id)?.name ?? id;
  const currency = terms?.currency ?? "SAR";
  return (
    <Page title={words.title} intro={words.intro}>
      <Loaded of={services}>
        {({ items }) => items.length === 0 ? <Empty icon="care" title={words.none} /> : (
          <>{items.map((type) => (
            <Part key={type.id} title={type.name ?? type.id ?? ""} end={<a href={to("settings/servicePrices")}>{words.prices}</a>}>
              {type.brief && <p class="muted">{type.brief}</p>}
              <Table label={type.name ?? ""} items={type.services ?? []} idOf={(one) => one.id ?? ""} columns={[
                { id: "service", label: words.service, cell: (one) => <strong><bdi>{one.name}</bdi></strong> },
                { id: "brief", label: words.brief, wide: true, cell: (one) => one.brief },
                { id: "titles", label: words.titles, cell: (one) => (one.titles ?? []).map(titleName).join(", ") },
                { id: "minutes", label: words.minutes, end: true, cell: (one) => one.minutes !== undefined && number(one.minutes) },
                { id: "price", label: words.price, end: true, cell: (one) => (one.price !== undefined ? <Money value={{ amount: one.price, currency }} /> : <span class="muted">{words.noPrice}</span>) },
              ]} />
            </Part>
          ))}</>
        )}
      </Loaded>
      {terms && (
        <div class="columns-2">
          <Part title={words.works}><Table label={words.works} items={terms.titles} idOf={(one) => one.id ?? ""} columns={[{ id: "title", label: words.works, cell: (one) => one.name }]} /></Part>
          <Part title={words.reasons}>
            <Table label={words.reasons} items={terms.reportReasons} idOf={(one) => one.id} columns={[
              { id: "reason", label: words.reason, cell: (one) => one.text }, { id: "parties", label: words.parties, cell: (one) => one.parties.map(partyName).join(", ") },
            ]} />
          </Part>
          <Part title={words.states}>
            <Table label={words.states} items={Object.entries(terms.labels)} idOf={([state]) => state} columns={[
              { id: "state", label: words.state, cell: ([state]) => stateName(state) }, { id: "customer", label: words.toCustomer, cell: ([, label]) => label.customer }, { id: "provider", label: words.toProvider, cell: ([, label]) => label.provider },
            ]} />
          </Part>
        </div>
      )}
    </Page>
  );
};

export default Catalogue;
