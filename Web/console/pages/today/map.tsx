import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { MapMarker, MapView } from "../../../shared/map";
import { middle } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { Badge, Loaded, Skeleton } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Part, Table, When, Who } from "../../kit";
import { stateTone } from "../../states";
import { words } from "./words";

const seconds = 10;

/** Runs while the page is seen: at once when somebody comes back to it, and then each ten seconds. */
function useWhileSeen(run: () => void): void {
  useEffect(() => {
    const look = (): void => { if (!document.hidden) run(); };
    const timer = setInterval(look, seconds * 1000);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
}

/** Providers where they are, and orders whose provider is not on the map where they begin. */
function markersOf({ orders, providers }: Dispatch.LiveMap): MapMarker[] {
  const busy = new Set(orders.filter((one) => one.position).map((one) => one.provider?.account));
  return [
    ...orders.map((one): MapMarker => ({
      id: one.order, at: one.position ?? one.start, look: one.position ? "moving" : "pin", icon: one.position ? "person" : "pin",
      label: [one.kindName, one.stateText, one.position && one.provider && isolate(one.provider.name)].filter(Boolean).join(", "), onTap: () => go(`orders/${one.order}`),
    })),
    ...providers.flatMap((one): MapMarker[] => (!one.position || busy.has(one.provider.account) ? [] : [{
      id: one.provider.account, at: one.position, look: "here", label: `${isolate(one.provider.name)}, ${words.available}`, onTap: () => go(`people/${one.provider.account}`),
    }])),
  ];
}

const Orders: Component<{ of: Dispatch.LiveMap }> = ({ of }) => (
  <Part title={`${words.running} (${of.orders.length}${of.hasMoreOrders ? "+" : ""})`}>
    {of.hasMoreOrders && <p class="muted">{words.more(of.orders.length)}</p>}
    {of.orders.length === 0 ? <p class="muted">{words.noRunning}</p> : (
      <div class="map-list">
        <Table label={words.running} items={of.orders} idOf={(one) => one.order} columns={[
          { id: "kind", label: words.order, cell: (one) => <a href={to(`orders/${one.order}`)}>{one.kindName}</a> },
          { id: "state", label: words.state, cell: (one) => <Badge tone={stateTone(one.state)}>{one.stateText}</Badge> },
          { id: "provider", label: words.provider, cell: (one) => one.provider && <Who {...one.provider} /> },
          { id: "seen", label: words.seen, cell: (one) => <When at={one.position?.at} /> },
        ]} />
      </div>
    )}
  </Part>
);

const Providers: Component<{ of: Dispatch.LiveMap }> = ({ of }) => (
  <Part title={`${words.availableOnes} (${of.providers.length}${of.hasMoreProviders ? "+" : ""})`}>
    {of.hasMoreProviders && <p class="muted">{words.more(of.providers.length)}</p>}
    {of.providers.length === 0 ? <p class="muted">{words.noProviders}</p> : (
      <div class="map-list">
        <Table label={words.availableOnes} items={of.providers} idOf={(one) => one.provider.account} columns={[
          { id: "name", label: words.provider, cell: (one) => <Who {...one.provider} /> },
          { id: "title", label: words.work, cell: (one) => one.provider.titleName ?? one.provider.title },
          { id: "state", label: words.state, cell: (one) => <Badge tone={one.isBusy ? "neutral" : "good"}>{one.isBusy ? words.busy : words.free}</Badge> },
          { id: "since", label: words.since, cell: (one) => <When at={one.since} /> },
          { id: "seen", label: words.seen, cell: (one) => <When at={one.position?.at} /> },
        ]} />
      </div>
    )}
  </Part>
);

/** Where everybody is now, on a map and as lists beside it. What is open in the lists stays where it is while they are read again. */
export const LiveMap: Component = () => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const found = useGet("/dispatch/v1/markets/{market}/map", { market }, ["orders"]);
  const [reload] = useState(() => ({ run: found.reload }));
  reload.run = found.reload;
  useWhileSeen(() => void reload.run());
  return (
    <Part title={words.map} end={found.value && <span class="muted">{words.asOf} <When at={found.value.at} exact /></span>}>
      {!terms ? <Skeleton rows={4} /> : (
        <Loaded of={found}>
          {(map) => (
            <>
              <MapView centre={middle(terms.settings.serviceArea)} zoom={11} area={terms.settings.serviceArea} markers={markersOf(map)} tall />
              <div class="columns-2"><Orders of={map} /><Providers of={map} /></div>
            </>
          )}
        </Loaded>
      )}
    </Part>
  );
};
