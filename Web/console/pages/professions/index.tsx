import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { useMarket } from "../../../shared/market";
import { usePlace } from "../../../shared/router";
import { isolate } from "../../../shared/words";
import { Act, List, Page, When, Who } from "../../kit";
import { words } from "./words";

const Professions: Component = () => {
  const { market } = usePlace();
  const titles = (useMarket().market?.titles ?? []).map((title) => ({ value: title.id ?? "", label: title.name ?? "" }));
  return (
    <Page title={words.title} intro={words.intro}>
      <List title={words.title} path="/identity/v1/markets/{market}/title-questions" parameters={{ market }} tags={["professions"]} empty={words.none}
        idOf={(one) => one.account}
        columns={[
          { id: "name", label: words.name, cell: (one) => <Who account={one.account} name={one.name} /> },
          { id: "job", label: words.job, cell: (one) => <bdi>{one.jobTitle}</bdi> },
          { id: "since", label: words.since, cell: (one) => <When at={one.askedAt} /> },
          {
            id: "acts", label: "", end: true, cell: (one) => (
              <Act small label={words.decide} title={isolate(one.name)} text={words.text(isolate(one.jobTitle))} look="primary" tags={["professions", "people"]}
                fields={[{ name: "title", label: words.as, kind: "choice", options: [...titles, { value: "none", label: words.noTitle }] }]}
                send={(values, key) => api.post("/identity/v1/markets/{market}/title-questions/{account}/decision", { market, account: one.account },
                  values.title === "none" ? { decision: "none" } : { decision: "title", title: String(values.title) }, { key })} />
            ),
          },
        ]} />
    </Page>
  );
};

export default Professions;
