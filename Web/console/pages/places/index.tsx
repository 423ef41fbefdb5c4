import type { Admin } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import type { Coordinates } from "../../../shared/device/position";
import { latinDigits } from "../../../shared/format";
import { MapView } from "../../../shared/map";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded } from "../../../shared/ui";
import { isolate, localized } from "../../../shared/words";
import { Act, ActField, ActValues, Code, Detail, Facts, Filter, FilterBar, optionsOf, Page, Part, Split, Table, useFilters, When, Who } from "../../kit";
import type { PageProperties } from "../../pages";
import { words } from "./words";

type Place = Admin.NamedPlace;
type Content = Admin.NamedPlaceContent;

const tags = ["named-places"];
const path = "/admin/v1/markets/{market}/places/{id}";
const nameOf = (place: Place): string => localized(place.names);
const degrees = (text: unknown, most: number): number | undefined => {
  const value = Number(latinDigits(String(text)).trim());
  return String(text).trim() && Number.isFinite(value) && Math.abs(value) <= most ? value : undefined;
};

/** The names of cities and kinds, by their ids, in the reader's language. */
interface Names {
  cities: Record<string, string>;
  categories: Record<string, string>;
}

function useNames(): Names {
  const { market } = usePlace();
  const cities = useGet("/admin/v1/guide/cities", {});
  const kinds = useGet("/admin/v1/markets/{market}/guide/places", { market });
  const byId = (items: { id: string; name: string }[] | undefined) => Object.fromEntries((items ?? []).map((one) => [one.id, one.name]));
  return { cities: byId(cities.value?.items), categories: byId(kinds.value?.categories) };
}

const fieldsOf = (names: Names, place?: Place): ActField[] => [
  ...(place ? [] : [{ name: "id", label: words.id, hint: words.idHint, maximum: 40 }]),
  { name: "english", label: words.english, initial: place?.names.en ?? "", maximum: 80, half: true }, { name: "arabic", label: words.arabic, initial: place?.names.ar ?? "", maximum: 80, half: true },
  { name: "city", label: words.city, kind: "select", initial: place?.city ?? "makkah", options: optionsOf(names.cities), half: true },
  { name: "category", label: words.category, kind: "select", initial: place?.category ?? "landmark", options: optionsOf(names.categories), half: true },
  { name: "latitude", label: words.latitude, kind: "amount", initial: place ? String(place.latitude) : "", half: true }, { name: "longitude", label: words.longitude, kind: "amount", initial: place ? String(place.longitude) : "", half: true },
  { name: "active", label: words.state, kind: "choice", initial: String(place?.active ?? true), options: optionsOf({ true: words.shown, false: words.hidden }) },
];
const check = (values: ActValues) => ({ latitude: degrees(values.latitude, 90) === undefined && words.badPlace, longitude: degrees(values.longitude, 180) === undefined && words.badPlace });
const pointers = { "/names/en": "english", "/names/ar": "arabic" };
const bodyOf = (values: ActValues): Content => ({
  names: { en: String(values.english), ar: String(values.arabic) }, city: String(values.city), category: String(values.category) as Content["category"],
  latitude: degrees(values.latitude, 90) ?? 0, longitude: degrees(values.longitude, 180) ?? 0, active: values.active === "true",
});
const contentOf = (place: Place): Content => ({
  names: place.names, city: place.city, category: place.category as Content["category"], latitude: place.latitude, longitude: place.longitude, active: place.active,
});

/** The map with a pin in its middle: the place goes where it points. */
const Pin: Component<{ place: Place }> = ({ place }) => {
  const { market } = usePlace();
  const [at, setAt] = useState<Coordinates>(place);
  const exact = (value: number): number => Math.round(value * 1e6) / 1e6;
  return (
    <Part title={words.pin}>
      <p class="muted">{words.pinText}</p>
      <MapView centre={place} zoom={16} markers={[{ id: place.id, at: place, label: nameOf(place) }]} pinsCentre onMove={setAt} />
      <p><bdi dir="ltr">{exact(at.latitude)}, {exact(at.longitude)}</bdi></p>
      <Act label={words.pinTake} title={words.pinTitle(isolate(nameOf(place)))} tags={tags}
        send={(_, key) => api.put(path, { market, id: place.id }, { ...contentOf(place), latitude: exact(at.latitude), longitude: exact(at.longitude) }, { key, seen: place.version })} />
    </Part>
  );
};

const PlaceActs: Component<{ place: Place; names: Names }> = ({ place, names }) => {
  const { market } = usePlace();
  return (
    <Act label={words.change} title={words.changeTitle(isolate(nameOf(place)))} look="primary" tags={tags} fields={fieldsOf(names, place)} check={check} pointers={pointers}
      send={(values, key) => api.put(path, { market, id: place.id }, bodyOf(values), { key, seen: place.version })} />
  );
};

const PlaceFacts: Component<{ place: Place; names: Names }> = ({ place, names }) => (
  <Facts of={[
    [words.english, <bdi lang="en">{place.names.en}</bdi>], [words.arabic, <bdi lang="ar">{place.names.ar}</bdi>],
    [words.city, names.cities[place.city] ?? place.city], [words.category, names.categories[place.category] ?? place.category],
    [words.state, place.active ? words.shown : words.hidden], [words.changed, place.changedAt ? <When at={place.changedAt} /> : words.asShipped],
    [words.by, place.changedBy && <Who account={place.changedBy.account} name={place.changedBy.name} />], [words.id, <Code value={place.id} />],
  ]} />
);

/** What people find on the map of a city: `places`, and `places/kaaba` with one open. */
const Places: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  const names = useNames();
  const places = useGet("/admin/v1/markets/{market}/places", { market }, tags);
  const filters: Filter[] = [
    { name: "city", label: words.city, kind: "choice", options: optionsOf(names.cities) },
    { name: "category", label: words.category, kind: "choice", options: optionsOf(names.categories) },
  ];
  const values = useFilters(filters);
  const open = places.value?.items.find((one) => one.id === params.id);
  return (
    <Page title={words.title} intro={words.intro} acts={(
      <Act label={words.add} title={words.add} look="primary" tags={tags} fields={fieldsOf(names)} check={check} pointers={pointers}
        send={(given, key) => api.post("/admin/v1/markets/{market}/places", { market }, { id: String(given.id), ...bodyOf(given) }, { key })} />
    )}>
      <FilterBar filters={filters} values={values} />
      <Split detail={params.id && (
        <Detail key={params.id} title={open ? <bdi>{nameOf(open)}</bdi> : words.place} back="places" of={places} acts={() => open && <PlaceActs place={open} names={names} />}>
          {() => !open ? <Empty icon="pin" title={words.gone} /> : <><PlaceFacts place={open} names={names} /><Pin key={open.version} place={open} /></>}
        </Detail>
      )}>
        <Loaded of={places}>
          {({ items }) => {
            const found = items.filter((one) => (!values.city || one.city === values.city) && (!values.category || one.category === values.category));
            return found.length === 0 ? <Empty icon="pin" title={words.none} /> : (
              <div data-rows>
                <Table label={words.title} items={found} idOf={(one) => one.id} columns={[
                  { id: "place", label: words.place, cell: (one) => <a href={to(`places/${one.id}`)} data-row data-stays aria-current={one.id === params.id ? "true" : undefined}><bdi>{nameOf(one)}</bdi></a> },
                  { id: "city", label: words.city, cell: (one) => names.cities[one.city] ?? one.city },
                  { id: "category", label: words.category, cell: (one) => names.categories[one.category] ?? one.category },
                  { id: "state", label: words.state, cell: (one) => <Badge tone={one.active ? "good" : "neutral"}>{one.active ? words.shown : words.hidden}</Badge> },
                  { id: "changed", label: words.changed, wide: true, cell: (one) => (one.changedAt ? <When at={one.changedAt} /> : <span class="muted">{words.asShipped}</span>) },
                ]} />
              </div>
            );
          }}
        </Loaded>
      </Split>
    </Page>
  );
};

export default Places;
