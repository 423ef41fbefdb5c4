import type { Component } from "preact";
import { useRef, useState } from "preact";
import { useHere } from "../../../shared/device/here";
import { Coordinates, metresBetween } from "../../../shared/device/position";
import { distance } from "../../../shared/format";
import { MapMarker, MapView } from "../../../shared/map";
import { useGet } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { Button, Empty, Icon, List, Loaded, Note, Row, Screen, Section } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { iconOf, nameOf, shown } from "./places";
import { WayThere } from "./way";
import { words } from "./words";

const Choice: Component<{ label: string; value: string; items: { id: string; name: string }[]; onChoose: (id: string) => void }> = ({ label, value, items, onChoose }) => (
  <div class="input select">
    <select aria-label={label} value={value} onChange={(event) => onChoose((event.target as HTMLSelectElement).value)}>
      {items.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
    </select>
    <Icon name="chevron-down" />
  </div>
);

/** A city's map with its named places, by kind, by name, and the nearest first. The list stays without a connection. */
const Places: Component<{ query: URLSearchParams }> = ({ query }) => {
  const { market } = usePlace();
  const here = useHere();
  const cities = useGet("/admin/v1/guide/cities", {});
  const places = useGet("/admin/v1/markets/{market}/guide/places", { market });
  const [city, setCity] = useState(query.get("city") ?? "makkah");
  const [category, setCategory] = useState(query.get("category") ?? "");
  const [text, setText] = useState("");
  const [isPinning, setPinning] = useState(false);
  const centre = useRef<Coordinates | undefined>(undefined);
  const all = places.value?.items ?? [];
  const withPlaces = (cities.value?.items ?? []).filter((one) => all.some((place) => place.city === one.id));
  // Who searches means any city.
  const inCity = text.trim() ? all : all.filter((place) => place.city === city);
  const found = shown(inCity, { category: category || undefined, text, here: here.at });
  const middle = cities.value?.items.find((one) => one.id === city) ?? { latitude: 21.4225, longitude: 39.8262 };
  // Without a move of the map nothing is selected, and the next screen says so.
  const goToPin = (): void => go(`find?to=${centre.current ? `${centre.current.latitude.toFixed(6)},${centre.current.longitude.toFixed(6)}` : ""}`);
  const markers: MapMarker[] = found.map((place) => ({
    id: place.id, at: place, label: nameOf(place), look: "pin", icon: iconOf(place.category), onTap: () => go(`find?to=${place.id}`),
  }));
  if (here.at) markers.push({ id: "here", at: here.at, label: words.you, look: "here" });
  return (
    <Screen title={words.title} back="home" wide>
      <div class="input"><input type="search" aria-label={words.search} placeholder={words.search} value={text} dir="auto" autocomplete="off" onInput={(event) => setText((event.target as HTMLInputElement).value)} /></div>
      <Loaded of={places}>
        {({ categories }) => (
          <>
            <Choice label={words.city} value={city} items={withPlaces} onChoose={setCity} />
            <Choice label={words.category} value={category} items={[{ id: "", name: words.all }, ...categories]} onChoose={setCategory} />
            <MapView key={city} centre={middle} follow={middle} markers={markers} zoom={13} tall pinsCentre={isPinning} onMove={(at) => { if (isPinning) centre.current = at; }} />
            {isPinning ? <><Note icon="pin">{words.move}</Note><Button icon="walk" onTap={goToPin}>{words.toPin}</Button></>
              : <Button kind="second" icon="pin" onTap={() => setPinning(true)}>{words.pin}</Button>}
            {!here.at && <Button kind="second" icon="locate" busy={here.isLooking} onTap={() => void here.find()}>{words.here}</Button>}
            {here.failure && <Note tone="warning" live>{here.failure}</Note>}
            <Section title={words.places}>
              {found.length === 0 ? <Empty icon="search" title={words.none} text={words.noneText} /> : (
                <List label={words.places}>
                  {found.map((place) => (
                    <Row key={place.id} icon={iconOf(place.category)} title={<bdi>{nameOf(place)}</bdi>} href={to(`find?to=${place.id}`)}
                      detail={[categories.find((one) => one.id === place.category)?.name, here.at && words.away(distance(metresBetween(here.at, place)))].filter(Boolean).join(" · ")} />
                  ))}
                </List>
              )}
            </Section>
          </>
        )}
      </Loaded>
    </Screen>
  );
};

/** `find` is the map of places; `find?to=kaaba` and `find?to=21.4225,39.8262&name=Omar` are the way there. */
const Find: Component<ScreenProperties> = ({ query }) => (query.has("to") ? <WayThere key={query.get("to") ?? ""} query={query} /> : <Places query={query} />);

export default Find;
