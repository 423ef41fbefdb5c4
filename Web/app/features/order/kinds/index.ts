import type { Kind } from "../view";

/** The kinds of orders, each loaded when an order of it is opened: a file with a `Kind` as its default. */
export const kinds: Record<string, () => Promise<{ default: Kind }>> = {
  visit: () => import("./visit"),
  homeCare: () => import("./home-care"),
  ride: () => import("./ride"),
  food: () => import("./food"),
  bikePickUp: () => import("./bike-pick-up"),
  bikeDropOff: () => import("./bike-drop-off"),
  parcel: () => import("./parcel"),
};
