// Loaded when a map is shown: Leaflet with what draws on it.
import * as leaflet from "leaflet";
import type { Coordinates } from "../device/position";
import type { MapMarker, MapSettings } from "./index";

export interface DrawnMap {
  show(markers: MapMarker[], line: Coordinates[] | undefined, area: Coordinates[] | undefined): void;
  centre(at: Coordinates): void;
  remove(): void;
}

const pair = (at: Coordinates): [number, number] => [at.latitude, at.longitude];

function picture(marker: MapMarker): HTMLElement {
  const element = document.createElement("div");
  element.className = { pin: "map-pin", here: "map-dot", moving: "map-moving" }[marker.look ?? "pin"];
  if (marker.look !== "here") {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("class", "icon");
    drawing.setAttribute("width", "20");
    drawing.setAttribute("height", "20");
    drawing.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `${document.querySelector<HTMLLinkElement>("link[data-sprite]")?.href ?? ""}#${marker.icon ?? "pin"}`);
    drawing.append(use);
    element.append(drawing);
  }
  return element;
}

function icon(marker: MapMarker): unknown {
  const size = { pin: 40, here: 20, moving: 36 }[marker.look ?? "pin"];
  return leaflet.divIcon({
    html: picture(marker), className: marker.look === "moving" ? "moves" : "", iconSize: [size, size],
    iconAnchor: marker.look === "pin" || !marker.look ? [size / 2, size + 8] : [size / 2, size / 2],
  });
}

/** Draws into the element. Without tiles there is a plain grid: places still lie where they are to each other. */
export function draw(element: HTMLElement, settings: MapSettings): DrawnMap {
  const map = leaflet.map(element, { zoomControl: false, attributionControl: Boolean(settings.tiles), keyboard: true });
  map.setView(pair(settings.centre), settings.zoom);
  if (settings.tiles) {
    map.attributionControl.setPrefix(false);
    leaflet.tileLayer(settings.tiles, { attribution: settings.attribution, maxZoom: 19, crossOrigin: "anonymous" }).addTo(map);
  } else {
    const grid = leaflet.gridLayer();
    grid.createTile = () => {
      const tile = document.createElement("div");
      tile.className = "map-grid";
      return tile;
    };
    grid.addTo(map);
  }
  if (settings.onMove) {
    const tell = (): void => {
      const centre = map.getCenter();
      settings.onMove?.({ latitude: centre.lat, longitude: centre.lng });
    };
    map.on("moveend", tell);
  }
  const sizes = new ResizeObserver(() => map.invalidateSize());
  sizes.observe(element);

  const shown = new Map<string, { layer: leaflet.Marker; look: string }>();
  let extras: leaflet.Layer[] = [];
  let fitted = "";
  let isMovedByHand = false;
  map.on("dragstart", () => { isMovedByHand = true; });
  return {
    show(markers, line, area) {
      for (const [id, { layer }] of shown) {
        if (markers.some((marker) => marker.id === id)) continue;
        layer.remove();
        shown.delete(id);
      }
      for (const marker of markers) {
        const look = `${marker.look} ${marker.icon}`;
        const known = shown.get(marker.id);
        if (known) {
          known.layer.setLatLng(pair(marker.at));
          if (known.look !== look) known.layer.setIcon(icon(marker));
          known.look = look;
          continue;
        }
        const layer = leaflet.marker(pair(marker.at), {
          icon: icon(marker), title: marker.label, alt: marker.label, keyboard: Boolean(marker.onTap), interactive: Boolean(marker.onTap),
        }).addTo(map);
        if (marker.onTap) layer.on("click", () => marker.onTap?.());
        shown.set(marker.id, { layer, look });
      }
      extras.forEach((layer) => layer.remove());
      extras = [];
      const colour = getComputedStyle(element).getPropertyValue("--accent-text").trim();
      if (line && line.length > 1) extras.push(leaflet.polyline(line.map(pair), { color: colour, weight: 4 }).addTo(map));
      if (area && area.length > 2) extras.push(leaflet.polygon(area.map(pair), { color: colour, weight: 2, fill: false, interactive: false }).addTo(map));
      // Moves to what is shown when that is other things or has left the map, and not with each step of one of them.
      const ids = markers.map((marker) => marker.id).join(" ");
      const hasLeft = !isMovedByHand && markers.some((marker) => !map.getBounds().contains(pair(marker.at)));
      if (settings.fits && markers.length > 1 && (ids !== fitted || hasLeft)) {
        fitted = ids;
        map.fitBounds(markers.map((marker) => pair(marker.at)), { padding: [40, 56], maxZoom: 16 });
      }
    },
    centre: (at) => void map.setView(pair(at), Math.max(map.getZoom(), 15)),
    remove() {
      sizes.disconnect();
      // Leaflet 1.7 ends a zoom that runs by a timer, also after the map is gone: it is told that none runs.
      Object.assign(map, { _animatingZoom: false });
      map.remove();
    },
  };
}
