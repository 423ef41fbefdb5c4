import type { Component } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { usePlace } from "../../../shared/router";
import { choiceFilter, Csv, Filter, List, Page, Split, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { kindNames, OneItem, State, stateNames } from "./one";
import { words } from "./words";

type Parameters = GetParameters<"/notifications/v1/markets/{market}/inbox">;

/** What waits for all admins of the market, kept up to date by the stream. */
const Inbox: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    choiceFilter("state", words.state, stateNames(), words.open), choiceFilter("kind", words.kind, kindNames()),
    choiceFilter("own", words.whose, { true: words.own }, words.everybody), choiceFilter("urgent", words.urgency, { true: words.urgent }),
  ];
  const values = useFilters(filters);
  const parameters = { market, ...values } as Parameters;
  return (
    <Page title={words.title} intro={words.intro}>
      <Split detail={params.id && <OneItem key={params.id} item={params.id} />}>
        <List title={words.title} path="/notifications/v1/markets/{market}/inbox" parameters={parameters} filters={filters} values={values} tags={["admin-inbox"]} empty={words.none}
          end={<Csv path="/notifications/v1/markets/{market}/inbox.csv" parameters={parameters} name={`inbox-${market}`} />}
          idOf={(one) => one.item} hrefOf={(one) => `inbox/${one.item}`} open={params.id}
          columns={[
            { id: "what", label: words.what, cell: (one) => <bdi>{one.text}</bdi> },
            { id: "state", label: words.state, cell: (one) => <State of={one} /> },
            { id: "about", label: words.about, wide: true, cell: (one) => one.person && <Who account={one.person} /> },
            { id: "taken", label: words.takenBy, cell: (one) => one.takenBy && <Who account={one.takenBy} /> },
            { id: "since", label: words.since, cell: (one) => <When at={one.at} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Inbox;
