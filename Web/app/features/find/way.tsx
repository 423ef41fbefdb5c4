import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useHere } from "../../../shared/device/here";
import type { Coordinates } from "../../../shared/device/position";
import { distance, duration } from "../../../shared/format";
import { MapView } from "../../../shared/map";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Button, Card, Empty, List, Note, Row, Screen, Section, Skeleton, Tabs } from "../../../shared/ui";
import { nameOf } from "./places";
import { words } from "./words";

type Way = Dispatch.Way;
type Profile = "walking" | "driving";
interface Target extends Coordinates {
  name: string;
}

/** The place of the address: `to` is one of the list, or any position such as a friend's: `21.4225,39.8262`. */
function useTarget(query: URLSearchParams): { target?: Target; isLoading: boolean } {
  const { market } = usePlace();
  const wanted = query.get("to") ?? "";
  const position = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(wanted);
  const places = useGet("/admin/v1/markets/{market}/guide/places", wanted && !position ? { market } : null);
  if (position) {
    const [latitude, longitude] = [Number(position[1]), Number(position[2])];
    const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    return { target: isPlace ? { latitude, longitude, name: query.get("name") ?? words.onMap } : undefined, isLoading: false };
  }
  const place = places.value?.items.find((one) => one.id === wanted);
  return { target: place && { latitude: place.latitude, longitude: place.longitude, name: nameOf(place) }, isLoading: wanted !== "" && places.isLoading };
}

const sideOf = (bearing: number): string =>
  [words.north, words.northEast, words.east, words.southEast, words.south, words.southWest, words.west, words.northWest][Math.round(bearing / 45) % 8];

const Steps: Component<{ way: Way }> = ({ way }) => (
  <Section title={words.steps}>
    <List label={words.steps}>
      {way.steps.map((step, index) => <Row key={index} title={step.text} end={step.metres > 0 ? distance(step.metres) : undefined} />)}
    </List>
  </Section>
);

const Found: Component<{ way: Way; from: Coordinates; target: Target }> = ({ way, from, target }) => {
  const line = way.line.map(([latitude, longitude]) => ({ latitude, longitude }));
  return (
    <>
      <MapView key={`${way.profile} ${way.metres}`} centre={target} line={line} fits tall
        markers={[{ id: "to", at: target, label: target.name, look: "pin" }, { id: "from", at: from, label: words.you, look: "here" }]} />
      {way.straight ? (
        <>
          <Note tone="warning" icon="map" live>{way.reason === "none" ? words.noWay : words.unavailable}</Note>
          <p role="status">{words.toward(distance(way.metres), sideOf(way.bearing ?? 0))}</p>
        </>
      ) : <Card><p role="status"><strong>{distance(way.metres)}</strong>{way.seconds !== undefined && ` · ${duration(way.seconds)}`}</p></Card>}
      {way.steps.length > 0 && <Steps way={way} />}
      {way.attribution && <p class="muted">{way.attribution}</p>}
    </>
  );
};

/** The way from here to a place, a hospital or a friend. Without a place it says that one has to be selected. */
export const WayThere: Component<{ query: URLSearchParams }> = ({ query }) => {
  const { market } = usePlace();
  const { target, isLoading } = useTarget(query);
  const here = useHere();
  const [profile, setProfile] = useState<Profile>("walking");
  const [answer, setAnswer] = useState<{ way?: Way; from?: Coordinates; failure?: string }>({});
  const [count, setCount] = useState(0);
  const at = here.at;
  const asked = at && target ? `${target.latitude} ${target.longitude} ${profile} ${count}` : "";
  useEffect(() => {
    if (!at || !target) return undefined;
    let isOld = false;
    setAnswer({});
    const [from, end] = [at, target].map(({ latitude, longitude }) => ({ latitude, longitude }));
    api.post("/dispatch/v1/markets/{market}/ways", { market }, { from, to: end, profile }).then(
      (way) => { if (!isOld) setAnswer({ way, from }); }, (error) => { if (!isOld) setAnswer({ failure: textOf(error) }); });
    return () => { isOld = true; };
    // A phone that moves asks again only when the person wants it.
  }, [asked]);
  const again = async (): Promise<void> => {
    await here.find();
    setCount(count + 1);
  };
  if (!target) {
    return (
      <Screen title={words.wayTitle} back="find">
        {isLoading ? <Skeleton rows={3} /> : <Empty icon="map" title={words.select}><Button href={to("find")}>{words.choose}</Button></Empty>}
      </Screen>
    );
  }
  return (
    <Screen title={words.way(target.name)} back="find"
      footer={<Button kind="second" icon="map" href={`https://www.google.com/maps/dir/?api=1&destination=${target.latitude},${target.longitude}&travelmode=${profile}`}>{words.open}</Button>}>
      <Tabs label={words.how} items={[{ id: "walking", label: words.walking }, { id: "driving", label: words.driving }]} value={profile} onChoose={(id) => setProfile(id as Profile)} />
      {!at && <><Note icon="locate">{words.start}</Note><Button icon="locate" busy={here.isLooking} onTap={() => void here.find()}>{words.locate}</Button></>}
      {here.failure && <Note tone="warning" live>{here.failure}</Note>}
      {answer.failure && <Note tone="danger" live>{answer.failure}</Note>}
      {at && !answer.way && !answer.failure && <Skeleton rows={4} />}
      {answer.way && answer.from && <Found way={answer.way} from={answer.from} target={target} />}
      {at && (answer.way || answer.failure) && <Button kind="quiet" icon="refresh" busy={here.isLooking} onTap={() => void again()}>{words.again}</Button>}
    </Screen>
  );
};
