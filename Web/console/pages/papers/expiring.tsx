import type { Component } from "preact";
import { dayName } from "../../../shared/format";
import { usePlace } from "../../../shared/router";
import { Filter, List, Page, useFilters } from "../../kit";
import { words } from "./words";

/** Verified papers that expire soon; before them those of which nobody has said when. */
const Expiring: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [{ name: "until", label: words.until, kind: "day" }];
  const values = useFilters(filters);
  return (
    <Page title={words.expiring}>
      <List title={words.expiring} path="/identity/v1/markets/{market}/expiring-papers" parameters={{ market, until: values.until }} filters={filters} values={values} tags={["papers"]} empty={words.noneExpires}
        idOf={(one) => one.document} hrefOf={(one) => `papers/${one.account}`}
        columns={[
          { id: "name", label: words.name, cell: (one) => <bdi>{one.name}</bdi> },
          { id: "title", label: words.work, cell: (one) => one.titleName },
          { id: "paper", label: words.paper, cell: (one) => one.kindName },
          { id: "expires", label: words.expires, cell: (one) => (one.expiresOn ? dayName(one.expiresOn) : words.noDay) },
        ]} />
    </Page>
  );
};

export default Expiring;
