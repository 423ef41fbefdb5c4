import type { Component } from "preact";
import { usePlace } from "../../../shared/router";
import { Badge, Rating } from "../../../shared/ui";
import { choiceFilter, Filter, List, Page, Split, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { Restaurant, stateName, stateTone } from "./one";
import { words } from "./words";

/** All restaurants of the market: the closed ones and those that are not verified yet, too. */
const Restaurants: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const filters: Filter[] = [
    { name: "name", label: words.find, kind: "text" },
    choiceFilter("state", words.state, { open: words.open, closed: words.closed, closedByAdmin: words.closedByAdmin, unverified: words.unverified }),
  ];
  const values = useFilters(filters);
  return (
    <Page title={words.title}>
      <Split detail={params.id && <Restaurant key={params.id} restaurant={params.id} />}>
        <List title={words.title} path="/dispatch/v1/markets/{market}/merchants" parameters={{ market, name: values.name, state: values.state as "open" | undefined }}
          filters={filters} values={values} tags={["restaurants"]} empty={words.none}
          idOf={(one) => one.restaurant} hrefOf={(one) => `restaurants/${one.restaurant}`} open={params.id}
          columns={[
            { id: "name", label: words.name, cell: (one) => <bdi>{one.name}</bdi> },
            { id: "state", label: words.state, cell: (one) => <Badge tone={stateTone(one.state)}>{stateName(one.state)}</Badge> },
            { id: "owner", label: words.owner, cell: (one) => <Who {...one.owner} /> },
            { id: "items", label: words.items, end: true, wide: true, cell: (one) => one.items },
            { id: "rating", label: words.rating, wide: true, cell: (one) => one.ratings > 0 && <Rating average={one.rating ?? 0} count={one.ratings} /> },
            { id: "changed", label: words.changed, wide: true, cell: (one) => <When at={one.changedAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Restaurants;
