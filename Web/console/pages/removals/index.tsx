import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { dayName } from "../../../shared/format";
import { usePlace } from "../../../shared/router";
import { isolate } from "../../../shared/words";
import { Act, List, Page, When, Who } from "../../kit";
import { words } from "./words";

const Removals: Component = () => {
  const { market } = usePlace();
  const decide = (account: string, decision: "remove" | "keep", key: string): Promise<unknown> =>
    api.post("/identity/v1/markets/{market}/removals/{account}/decision", { market, account }, { decision }, { key });
  return (
    <Page title={words.title} intro={words.intro}>
      <List title={words.title} path="/identity/v1/markets/{market}/removals" parameters={{ market }} tags={["removals"]} empty={words.none}
        idOf={(one) => one.account}
        columns={[
          { id: "name", label: words.name, cell: (one) => <Who account={one.account} name={one.name} /> },
          { id: "cause", label: words.cause, cell: (one) => (one.cause === "relative" ? words.relative : words.inactive) },
          { id: "reason", label: words.reason, cell: (one) => one.reason && <bdi>{one.reason}</bdi> },
          { id: "last", label: words.last, wide: true, cell: (one) => dayName(one.lastActiveOn) },
          { id: "since", label: words.since, wide: true, cell: (one) => <When at={one.askedAt} /> },
          {
            id: "acts", label: "", end: true, cell: (one) => (
              <div class="act-buttons">
                <Act small label={words.keep} title={words.keep} text={words.keepText(isolate(one.name))} tags={["removals"]} send={(_, key) => decide(one.account, "keep", key)} />
                <Act small label={words.remove} title={words.remove} look="danger" text={words.removeText(isolate(one.name))} tags={["removals"]} send={(_, key) => decide(one.account, "remove", key)} />
              </div>
            ),
          },
        ]} />
    </Page>
  );
};

export default Removals;
