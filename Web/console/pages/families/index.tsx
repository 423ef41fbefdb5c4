import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { usePlace } from "../../../shared/router";
import { isolate } from "../../../shared/words";
import { Act, choiceFilter, Filter, List, optionsOf, Page, useFilters, When, Who } from "../../kit";
import { words } from "./words";

const Make: Component = () => {
  const { market } = usePlace();
  return (
    <Act label={words.make} title={words.make} look="primary" tags={["families"]}
      fields={[
        { name: "from", label: words.accountOf }, { name: "to", label: words.accountFor },
        { name: "scopes", label: words.scopes, kind: "choice", initial: "both", options: optionsOf({ both: `${words.order}, ${words.see}`, see: words.see }) },
      ]}
      send={(values, key) => api.post("/identity/v1/markets/{market}/links", { market }, {
        from: String(values.from).trim(), to: String(values.to).trim(), scopes: values.scopes === "both" ? ["order", "see"] : ["see"],
      }, { key })} />
  );
};

/** Relatives who order for each other: both have agreed, and an admin has the last word. */
const Families: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [choiceFilter("state", words.state, { asked: words.asked, confirmed: words.confirmed }, words.agreed)];
  const values = useFilters(filters);
  const state = (values.state ?? "agreed") as "agreed";
  return (
    <Page title={words.title} acts={<Make />}>
      <List title={words.title} path="/identity/v1/markets/{market}/links" parameters={{ market, state }} filters={filters} values={values} tags={["families"]} empty={words.none}
        idOf={(one) => one.link}
        columns={[
          { id: "from", label: words.from, cell: (one) => <Who {...one.from} /> },
          { id: "to", label: words.to, cell: (one) => <Who {...one.to} /> },
          { id: "scopes", label: words.scopes, cell: (one) => one.scopes.map((scope) => words[scope]).join(", ") },
          { id: "since", label: words.since, wide: true, cell: (one) => <When at={one.askedAt} /> },
          {
            id: "acts", label: "", end: true, cell: (one) => (
              <div class="act-buttons">
                <Act small label={words.remove} title={words.remove} look="danger" text={words.removeText(isolate(one.from.name), isolate(one.to.name))} tags={["families"]}
                  send={() => api.delete("/identity/v1/markets/{market}/links/{link}", { market, link: one.link })} />
                {one.state === "agreed" && (
                  <Act small label={words.approve} title={words.approve} look="primary" text={words.approveText(isolate(one.from.name), isolate(one.to.name))} tags={["families"]}
                    send={(_, key) => api.post("/identity/v1/markets/{market}/links/{link}/approval", { market, link: one.link }, undefined, { key })} />
                )}
              </div>
            ),
          },
        ]} />
    </Page>
  );
};

export default Families;
