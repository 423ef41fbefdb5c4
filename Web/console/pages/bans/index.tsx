import type { Component } from "preact";
import { dayAndTime } from "../../../shared/format";
import { usePlace } from "../../../shared/router";
import { choiceFilter, Code, Filter, List, Page, useFilters, When, Who } from "../../kit";
import { useMay } from "../../rights";
import { Lift } from "../people/acts";
import { words } from "./words";

/** Bans that hold, here or, for master admins, everywhere. */
const Bans: Component = () => {
  const { market: here } = usePlace();
  const mayEverywhere = useMay("master");
  const filters: Filter[] = mayEverywhere ? [choiceFilter("where", words.where, { everywhere: words.everywhere }, words.here)] : [];
  const values = useFilters(filters);
  const market = values.where === "everywhere" ? "*" : here;
  return (
    <Page title={words.title}>
      <List title={words.title} path="/identity/v1/markets/{market}/bans" parameters={{ market }} filters={filters} values={values} tags={["bans"]} empty={words.none}
        idOf={(one) => one.account}
        columns={[
          { id: "name", label: words.name, cell: (one) => <Who account={one.account} name={one.name} /> },
          { id: "reason", label: words.reason, cell: (one) => <bdi>{one.reason}</bdi> },
          { id: "until", label: words.until, cell: (one) => (one.until ? dayAndTime(one.until) : words.forEver) },
          { id: "since", label: words.since, wide: true, cell: (one) => <When at={one.bannedAt} /> },
          { id: "by", label: words.by, wide: true, cell: (one) => <Code value={one.bannedBy} /> },
          { id: "acts", label: "", end: true, cell: (one) => <Lift small account={one.account} name={one.name} market={market} /> },
        ]} />
    </Page>
  );
};

export default Bans;
