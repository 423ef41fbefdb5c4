import type { ChosenPlace } from "../../../shared/map/place-picker";
import { words } from "./words";

export const types = ["city", "electric", "cargo"] as const;
export type BikeType = (typeof types)[number];
export type Way = "fetch" | "bring";

/** What both ways to a bike have in common: which one, and around which place. */
export interface BikeChoice {
  way: Way;
  setWay: (way: Way) => void;
  type: BikeType;
  setType: (type: BikeType) => void;
  place?: ChosenPlace;
  setPlace: (place: ChosenPlace) => void;
  isLooking: boolean;
  failure?: string;
}

/** The two ways to a bike, as tabs. */
export const wayTabs = (): { id: Way; label: string }[] => [{ id: "fetch", label: words.fetch }, { id: "bring", label: words.bring }];
