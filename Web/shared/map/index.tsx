import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import type { Coordinates } from "../device/position";
import { Icon, Note } from "../ui/kit";
import { configuration } from "../configuration";
import { catalogue } from "../words";
import type { DrawnMap } from "./draw";

const words = catalogue({
  map: { en: "Map", ar: "الخريطة" },
  none: { en: "The map cannot be shown now. The list below has the same", ar: "تعذر عرض الخريطة الآن. القائمة أدناه فيها الشيء نفسه" },
});

export interface MapMarker {
  id: string;
  at: Coordinates;
  /** What it is, for screen readers. */
  label: string;
  /** A place, oneself, or somebody on the way. */
  look?: "pin" | "here" | "moving";
  icon?: string;
  onTap?: () => void;
}

export interface MapSettings {
  centre: Coordinates;
  zoom: number;
  /** Where its middle lies after it was moved. */
  onMove?: (centre: Coordinates) => void;
  /** Shows all markers at first. */
  fits?: boolean;
  tiles?: string;
  attribution?: string;
}

function loadSheet(): void {
  const link = document.querySelector<HTMLLinkElement>("link[data-leaflet]");
  if (link && link.rel !== "stylesheet") link.rel = "stylesheet";
}

/**
 * A map with markers, by Leaflet, which is loaded now. What it shows has to stand in a list beside it too: for those who do not
 * see it, and where it cannot be loaded. `centre` only says where it begins; `follow` moves it there whenever it changes.
 */
export const MapView: Component<{
  centre: Coordinates; zoom?: number; markers?: MapMarker[]; line?: Coordinates[]; area?: Coordinates[]; fits?: boolean; tall?: boolean;
  follow?: Coordinates; pinsCentre?: boolean; onMove?: (centre: Coordinates) => void;
}> = ({ centre, zoom = 14, markers = [], line, area, fits, tall, follow, pinsCentre, onMove }) => {
  const element = useRef<HTMLDivElement | null>(null);
  const drawn = useRef<DrawnMap | undefined>(undefined);
  const latest = useRef({ markers, line, area, onMove, at: follow ?? centre, zoom });
  latest.current = { markers, line, area, onMove, at: follow ?? centre, zoom };
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let isGone = false;
    loadSheet();
    void Promise.all([import("./draw"), configuration()]).then(([{ draw }, settings]) => {
      if (isGone || !element.current) return;
      drawn.current = draw(element.current, {
        centre: latest.current.at, zoom: latest.current.zoom, fits, tiles: settings.tiles, attribution: settings.attribution,
        onMove: onMove && ((at) => latest.current.onMove?.(at)),
      });
      drawn.current.show(latest.current.markers, latest.current.line, latest.current.area);
    }, () => setFailed(true));
    return () => {
      isGone = true;
      drawn.current?.remove();
      drawn.current = undefined;
    };
  }, []);
  useEffect(() => drawn.current?.show(markers, line, area));
  useEffect(() => {
    if (follow) drawn.current?.centre(follow);
  }, [follow?.latitude, follow?.longitude]);

  if (failed) return <Note tone="warning" icon="map">{words.none}</Note>;
  return (
    <div class={tall ? "map tall" : "map"} role="region" aria-label={words.map} dir="ltr">
      <div ref={element} />
      {pinsCentre && <div class="map-centre"><div class="map-pin"><Icon name="pin" size={20} /></div></div>}
    </div>
  );
};
