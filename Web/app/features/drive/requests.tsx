import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, Problem, textOf } from "../../../shared/api/problem";
import { useHere } from "../../../shared/device/here";
import { distance, duration, money } from "../../../shared/format";
import { tellIfGone } from "../../../shared/gone";
import { MapMarker, MapView } from "../../../shared/map";
import { useMarket } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Button, Card, Empty, Icon, IconButton, Loaded, Money, Note, Screen } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import type { ScreenProperties } from "../../features";
import { words } from "./words";

const iconOf = (request: Dispatch.RideRequest): string => (request.ride ? "car" : request.food ? "food" : "bike");
const titleOf = (request: Dispatch.RideRequest): string =>
  request.ride ? words.rideOf(distance(request.ride.metres), duration(request.ride.seconds)) + (request.ride.size === "xl" ? ` · ${words.xl}` : "")
    : request.food ? words.mealOf(isolate(request.food.restaurantName)) : words.bikeOf;

const Request: Component<{ request: Dispatch.RideRequest; onGone: () => void }> = ({ request, onGone }) => {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const key = useRef(newKey());
  const take = async (): Promise<void> => {
    setState({ isBusy: true });
    try {
      await api.post("/dispatch/v1/orders/{id}/take", { id: request.order }, undefined, { key: key.current });
      invalidate("orders");
      go(`o/${request.order}`);
    } catch (error) {
      if (isDecided(error)) key.current = newKey();
      setState({ isBusy: false, error });
      tellIfGone(error);
      onGone();
    }
  };
  return (
    <Card>
      <div class="stack tight">
        <div class="line">
          <span class="row-icon"><Icon name={iconOf(request)} /></span>
          <span class="row-text"><b>{titleOf(request)}</b>
            <span class="row-detail">{words.away(distance(request.metresAway))}{request.destination?.description && <> · {words.to(isolate(request.destination.description))}</>}</span>
          </span>
          <b><Money value={request.total} /></b>
        </div>
        {state.error ? <Note tone="warning" live>{textOf(state.error)}</Note> : null}
        <Button busy={state.isBusy} onTap={() => void take()}>{request.ride ? words.takeRide : request.food ? words.takeMeal : words.takeBike} · {money(request.total)}</Button>
      </div>
    </Card>
  );
};

/** Rides, meals and bikes near the driver that nobody has: the first who takes one has it. */
const Requests: Component<ScreenProperties> = () => {
  const { id: market } = useMarket();
  const here = useHere();
  const found = useGet("/dispatch/v1/markets/{market}/requests", { market, limit: 50 }, ["orders", "availability"]);
  // The stream tells drivers of offers to themselves alone, not of what others may take: the screen looks on while it is seen.
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) void found.reload(); }, 15_000);
    return () => clearInterval(timer);
  }, [found.reload]);
  const slug = found.error instanceof Problem ? found.error.slug : "";
  const isOff = slug === "not-waiting" || slug === "no-position";
  const items = found.value?.items ?? [];
  const markers: MapMarker[] = items.map((one) => ({ id: one.order, at: one.place, label: titleOf(one), icon: iconOf(one) }));
  if (here.at) markers.push({ id: "here", at: here.at, label: words.you, look: "here" });
  return (
    <Screen title={words.requests} wide end={<IconButton icon="refresh" label={words.again} onTap={() => void found.reload()} />}>
      {isOff ? (
        <Empty icon="power" title={slug === "no-position" ? words.noPosition : words.notWaiting}><Button href={to("work")}>{words.toWork}</Button></Empty>
      ) : (
        <Loaded of={found}>
          {() => (
            <>
              {here.at && <MapView centre={here.at} follow={here.at} markers={markers} fits />}
              {items.length === 0 ? <Empty icon="car" title={words.none} text={words.noneText} />
                : <div class="cards">{items.map((one) => <Request key={one.order} request={one} onGone={() => void found.reload()} />)}</div>}
            </>
          )}
        </Loaded>
      )}
    </Screen>
  );
};

export default Requests;
