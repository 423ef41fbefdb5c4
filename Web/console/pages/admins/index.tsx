import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { usePlace } from "../../../shared/router";
import { session } from "../../../shared/session";
import { isolate } from "../../../shared/words";
import { Act, ActField, choiceFilter, Code, Filter, List, Page, useFilters, When } from "../../kit";
import { words } from "./words";

const ranks = (): NonNullable<ActField["options"]> => [
  { value: "support", label: words.support, detail: words.supportDetail }, { value: "admin", label: words.admin, detail: words.adminDetail },
];

/** For master admins: who has rights, and giving and taking them. */
const Admins: Component = () => {
  const { market: here } = usePlace();
  const { account: own } = useCell(session);
  const filters: Filter[] = [choiceFilter("of", words.of, { all: words.all }, words.here)];
  const values = useFilters(filters);
  const market = values.of === "all" ? "*" : here;
  return (
    <Page title={words.title} intro={words.intro} acts={(
      <Act label={words.make} title={`${words.make}: ${market === "*" ? words.all : words.here}`} text={words.makeText} look="primary" needs="master" tags={["admins"]}
        fields={[
          { name: "email", label: words.email, kind: "email", hint: words.emailHint },
          ...(market === "*" ? [] : [{ name: "rank", label: words.rank, kind: "choice", initial: "support", options: ranks() } as ActField]),
        ]}
        send={({ email, rank }, key) => api.post("/identity/v1/markets/{market}/admins", { market }, { email: String(email).trim(), rank: rank === "support" ? "support" : "admin" }, { key })} />
    )}>
      <List title={words.title} path="/identity/v1/markets/{market}/admins" parameters={{ market }} filters={filters} values={values} tags={["admins"]} empty={words.none}
        idOf={(one) => one.account}
        columns={[
          { id: "name", label: words.name, cell: (one) => <bdi>{one.name}</bdi> },
          { id: "rank", label: words.rank, cell: (one) => (market === "*" ? words.master : one.rank === "support" ? words.support : words.admin) },
          { id: "account", label: words.account, cell: (one) => <Code value={one.account} /> },
          { id: "since", label: words.since, cell: (one) => <When at={one.since} /> },
          {
            id: "acts", label: "", end: true, cell: (one) => one.account !== own && (
              <Act small label={words.take} title={words.take} text={words.takeText(isolate(one.name))} look="danger" needs="master" tags={["admins"]}
                send={() => api.delete("/identity/v1/markets/{market}/admins/{account}", { market, account: one.account })} />
            ),
          },
        ]} />
    </Page>
  );
};

export default Admins;
