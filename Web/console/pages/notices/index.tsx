import type { Component } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { number } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { go, to, usePlace } from "../../../shared/router";
import { localized } from "../../../shared/words";
import { Act, choiceFilter, Csv, Filter, List, Page, Split, useFilters, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { draftOf, fieldsOf, pointers } from "./draft";
import { Audience, OneNotice, State, stateNames, useTitles } from "./one";
import { words } from "./words";

const Make: Component = () => {
  const { market } = usePlace();
  const titles = useTitles();
  const zone = useMarket().market?.timeZone ?? "UTC";
  return (
    <Act label={words.make} title={words.make} text={words.makeText} look="primary" tags={["notices"]} fields={fieldsOf(undefined, titles, zone)} pointers={pointers}
      send={(values, key) => api.post("/notifications/v1/markets/{market}/general-notices", { market }, draftOf(values, zone), { key })}
      done={(made: Notifications.GeneralNotice) => go(to(`notices/${made.notice}`))} />
  );
};

/** What the market tells all its people, or many of them. */
const Notices: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [choiceFilter("state", words.state, stateNames())];
  const values = useFilters(filters);
  const parameters = { market, state: values.state as "waiting" | undefined };
  return (
    <Page title={words.title} intro={words.intro} acts={<Make />}>
      <Split detail={params.id && <OneNotice key={params.id} notice={params.id} />}>
        <List title={words.title} path="/notifications/v1/markets/{market}/general-notices" parameters={parameters} filters={filters} values={values} tags={["notices"]} empty={words.none}
          end={<Csv path="/notifications/v1/markets/{market}/general-notices.csv" parameters={parameters} name={`notices-${market}`} />}
          idOf={(one) => one.notice} hrefOf={(one) => `notices/${one.notice}`} open={params.id}
          columns={[
            { id: "subject", label: words.subject, cell: (one) => <bdi>{localized(one.subject)}</bdi> },
            { id: "state", label: words.state, cell: (one) => <State of={one.state} /> },
            { id: "audience", label: words.audience, cell: (one) => <Audience of={one} /> },
            { id: "when", label: words.when, cell: (one) => <When at={one.dueAt} /> },
            { id: "recipients", label: words.recipients, end: true, cell: (one) => number(one.recipients) },
          ]} />
      </Split>
    </Page>
  );
};

export default Notices;
