import type { Component } from "preact";
import { duration, distance } from "../../../../shared/format";
import { useMemo } from "preact";
import { MapMarker, MapView } from "../../../../shared/map";
import type { View } from "../view";
import { words } from "../words";

interface At {
  latitude: number;
  longitude: number;
}

/** Where the other one is, how far it still is, and where to. The line below the map has the same in words. */
export const LiveMap: Component<{ view: View; icon: string }> = ({ view, icon }) => {
  const { order, tracking, side, name } = view;
  // Who is under way goes to the destination, of which tracking tells the provider alone.
  const target: At = tracking?.destination ?? (order.state === "inProgress" ? order.destination : undefined) ?? order.place;
  const label = (order.state === "inProgress" ? order.destination?.description : undefined) ?? order.place.description ?? words.place;
  const here = tracking?.position;
  const markers = useMemo<MapMarker[]>(() => [
    { id: "target", at: target, label, look: "pin" },
    ...(here ? [{ id: "provider", at: here, label: side === "provider" ? words.you : name || words.provider, look: "moving" as const, icon }] : []),
  ], [target.latitude, target.longitude, here?.latitude, here?.longitude, side, name]);
  return (
    <div class="stack tight">
      <MapView key={here ? "both" : "one"} centre={target} markers={markers} fits />
      {tracking?.metresLeft !== undefined && tracking.secondsLeft !== undefined && (
        <p class="muted" data-way><bdi>{words.away(duration(tracking.secondsLeft))}</bdi> · <bdi>{distance(tracking.metresLeft)}</bdi></p>
      )}
    </div>
  );
};
