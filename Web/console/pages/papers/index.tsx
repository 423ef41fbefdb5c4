import type { Identity } from "api-types";
import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge } from "../../../shared/ui";
import { choiceFilter, Detail, Filter, List, Page, Split, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Papers, stateTone } from "./papers";
import { stateName, words } from "./words";

const One: Component<{ account: string }> = ({ account }) => {
  const { market } = usePlace();
  const person = useGet("/identity/v1/markets/{market}/people/{account}", { market, account }, [`person:${account}`]);
  return (
    <Detail title={person.value ? <Who account={account} name={person.value.name} /> : words.title} back="papers" of={person}>
      {(found) => found.roles.filter((role) => role.role === "provider").map((role) => <Papers key={role.title} account={account} name={found.name} title={role.title} />)}
    </Detail>
  );
};

/** Providers who wait for an admin's word, those who asked first coming first. */
const PapersPage: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [choiceFilter("state", words.state, { verified: words.verified, rejected: words.rejected }, words.waiting)];
  const values = useFilters(filters);
  const parameters = { market, state: (values.state ?? "waiting") as Identity.ProviderState };
  return (
    <Page title={words.title}>
      <Split detail={params.id && <One key={params.id} account={params.id} />}>
        <List title={words.title} path="/identity/v1/markets/{market}/providers" parameters={parameters} filters={filters} values={values} tags={["papers"]} empty={words.none}
          idOf={(one) => `${one.account} ${one.title}`} hrefOf={(one) => `papers/${one.account}`} open={params.id}
          columns={[
            { id: "name", label: words.name, cell: (one) => <bdi>{one.name}</bdi> },
            { id: "title", label: words.work, cell: (one) => one.titleName ?? one.title },
            { id: "state", label: words.state, cell: (one) => <Badge tone={stateTone(one.state)}>{stateName(one.state)}</Badge> },
            { id: "since", label: words.since, cell: (one) => <When at={one.requestedAt} /> },
            { id: "reason", label: words.reason, wide: true, cell: (one) => one.reason },
          ]} />
      </Split>
    </Page>
  );
};

export default PapersPage;
