// What this app uses of Leaflet 1.7.
declare module "leaflet" {
  export type LatLng = { lat: number; lng: number };
  export type LatLngTuple = [number, number];

  export interface Layer {
    addTo(map: Map): this;
    remove(): this;
    on(event: string, handler: (event: { latlng: LatLng }) => void): this;
  }
  export interface Marker extends Layer {
    setLatLng(at: LatLngTuple): this;
    setIcon(icon: unknown): this;
    getElement(): HTMLElement | undefined;
  }
  export interface Map {
    setView(at: LatLngTuple, zoom: number, options?: Record<string, unknown>): this;
    panTo(at: LatLngTuple): this;
    fitBounds(bounds: LatLngTuple[], options?: Record<string, unknown>): this;
    getCenter(): LatLng;
    getZoom(): number;
    getBounds(): { contains(at: LatLngTuple): boolean };
    invalidateSize(): this;
    remove(): void;
    on(event: string, handler: (event: { latlng: LatLng }) => void): this;
    attributionControl: { setPrefix(text: string | false): void };
  }
  interface Grid extends Layer {
    createTile: () => HTMLElement;
    getTileSize(): { x: number; y: number };
  }
  export function map(element: HTMLElement, options?: Record<string, unknown>): Map;
  export function tileLayer(template: string, options?: Record<string, unknown>): Layer;
  export function gridLayer(options?: Record<string, unknown>): Grid;
  export function marker(at: LatLngTuple, options?: Record<string, unknown>): Marker;
  export function polyline(points: LatLngTuple[], options?: Record<string, unknown>): Layer;
  export function polygon(points: LatLngTuple[], options?: Record<string, unknown>): Layer;
  export function circle(at: LatLngTuple, options?: Record<string, unknown>): Layer;
  export function divIcon(options: Record<string, unknown>): unknown;
}
