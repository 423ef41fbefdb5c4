import type { Component } from "preact";
import { distance, duration } from "../../../shared/format";
import { middle } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded, Money, Rating, Skeleton } from "../../../shared/ui";
import { Code, Detail, Facts, Filter, FilterBar, Page, Part, Split, Table, useFilters } from "../../kit";
import type { PageProperties } from "../../pages";
import { words } from "./words";

const Restaurant: Component<{ restaurant: string }> = ({ restaurant: id }) => {
  const found = useGet("/dispatch/v1/restaurants/{id}", { id }, ["restaurants"]);
  return (
    <Detail title={found.value ? <bdi>{found.value.name}</bdi> : words.name} back="restaurants" of={found}>
      {(one) => (
        <>
          <Facts of={[
            [words.state, <Badge tone={one.open ? "good" : "neutral"}>{one.open ? words.open : words.closed}</Badge>], [words.address, one.address && <bdi>{one.address}</bdi>], [words.phone, one.phone && <bdi dir="ltr">{one.phone}</bdi>],
            [words.rating, one.ratings > 0 && <Rating average={one.rating ?? 0} count={one.ratings} />], [words.preparation, duration(one.preparationMinutes * 60)],
            [words.hours, one.hours && one.hours.length > 0 && one.hours.map((hour) => <div key={hour.day + hour.opens}>{words[hour.day]} <bdi dir="ltr">{hour.opens}–{hour.closes}</bdi></div>)], [words.name, <Code value={one.restaurant} />],
          ]} />
          <Part title={words.menu}>
            <Table label={words.menu} items={one.menu} idOf={(item) => item.item} columns={[
              { id: "item", label: words.item, cell: (item) => <bdi>{item.name}</bdi> }, { id: "price", label: words.price, end: true, cell: (item) => <Money value={{ amount: item.price, currency: item.currency }} /> },
            ]} />
          </Part>
        </>
      )}
    </Detail>
  );
};

/** What customers find: the open ones near a place. A list of all restaurants, closed ones too, is not told to admins yet. */
const Restaurants: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const filters: Filter[] = [{ name: "name", label: words.find, kind: "text" }];
  const values = useFilters(filters);
  const found = useGet("/dispatch/v1/markets/{market}/restaurants", terms ? { market, ...middle(terms.settings.serviceArea), name: values.name, limit: 100 } : null, ["restaurants"]);
  return (
    <Page title={words.title} intro={words.intro}>
      <Split detail={params.id && <Restaurant key={params.id} restaurant={params.id} />}>
        <FilterBar filters={filters} values={values} />
        {!terms ? <Skeleton /> : (
          <Loaded of={found}>
            {({ items }) => items.length === 0 ? <Empty icon="food" title={words.none} /> : (
              <div data-rows>
                <Table label={words.title} items={items} idOf={(one) => one.restaurant} columns={[
                  { id: "name", label: words.name, cell: (one) => <a href={to(`restaurants/${one.restaurant}`)} data-row data-stays aria-current={one.restaurant === params.id ? "true" : undefined}><bdi>{one.name}</bdi></a> },
                  { id: "rating", label: words.rating, cell: (one) => one.ratings > 0 && <Rating average={one.rating ?? 0} count={one.ratings} /> },
                  { id: "preparation", label: words.preparation, cell: (one) => duration(one.preparationMinutes * 60) },
                  { id: "away", label: words.away, end: true, cell: (one) => distance(one.metres) },
                ]} />
              </div>
            )}
          </Loaded>
        )}
      </Split>
    </Page>
  );
};

export default Restaurants;
