import type { Component } from "preact";
import { useHere } from "../../../shared/device/here";
import { keepValue } from "../../../shared/kept";
import { middle } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { MapMarker, MapView } from "../../../shared/map";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Button, Icon, Note, Section } from "../../../shared/ui";
import { words } from "./words";

/** A new ride begins where one is, to wherever one says. */
function begin(): void {
  keepValue("ride-from", undefined);
  keepValue("ride-to", undefined);
}

/** The start of a rider: where to, what else there is, and who is near. */
const RiderHome: Component = () => {
  const { id: market, market: terms } = useMarket();
  const here = useHere();
  const near = useGet("/dispatch/v1/markets/{market}/nearby",
    here.at ? { market, latitude: here.at.latitude, longitude: here.at.longitude } : null);
  const drivers = near.value?.items ?? [];
  const markers: MapMarker[] = drivers.map((at, index) => ({ id: `driver ${index}`, at, label: words.driver, look: "moving", icon: "car" }));
  if (here.at) markers.push({ id: "here", at: here.at, label: words.you, look: "here" });
  const area = terms?.settings.serviceArea ?? [];
  return (
    <>
      <a class="where-to" href={to("ride")} onClick={begin}><Icon name="search" /><span>{words.whereTo}</span></a>
      <Section title={words.shortcuts}>
        <div class="shortcuts">
          <a class="card tappable shortcut" href={to("ride")} onClick={begin}><Icon name="car" size={32} />{words.ride}</a>
          <a class="card tappable shortcut" href={to("food")}><Icon name="food" size={32} />{words.food}</a>
          <a class="card tappable shortcut" href={to("bikes")}><Icon name="bike" size={32} />{words.bikes}</a>
        </div>
      </Section>
      {(here.at || terms) && <MapView centre={here.at ?? middle(area)} zoom={here.at ? 14 : 11} follow={here.at} markers={markers} area={here.at ? undefined : area} />}
      {here.failure && <Note tone="warning">{here.failure}</Note>}
      {here.at
        ? near.value && <p class="muted" role="status">{drivers.length ? words.near(drivers.length) : words.nobodyNear}</p>
        : <Button kind="second" icon="locate" busy={here.isLooking} onTap={() => void here.find()}>{words.showNear}</Button>}
    </>
  );
};

export default RiderHome;
