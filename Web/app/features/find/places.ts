import type { Admin } from "api-types";
import { Coordinates, metresBetween } from "../../../shared/device/position";
import { language } from "../../../shared/language";
import { localized } from "../../../shared/words";

export type Place = Admin.GuidePlace;

export const nameOf = (place: Place): string => localized(place.names);

/** Folded for a search: without case, accents, hamzas and other forms of a letter. */
export const folded = (text: string): string =>
  text.normalize("NFKD").replace(/[\p{M}\u0640]/gu, "").toLowerCase().replace(/[أإآٱ]/g, "ا").replace(/ى/g, "ي").replace(/ة/g, "ه").trim();

/** What the list shows: by category and a part of a name in either language, the nearest first where it is known from where. */
export function shown(places: Place[], wanted: { category?: string; text: string; here?: Coordinates }): Place[] {
  const text = folded(wanted.text);
  const found = places.filter((place) =>
    (!wanted.category || place.category === wanted.category) && (!text || [place.names.en, place.names.ar].some((name) => folded(name).includes(text))));
  const { here } = wanted;
  if (here) return found.sort((one, other) => metresBetween(here, one) - metresBetween(here, other));
  return found.sort((one, other) => nameOf(one).localeCompare(nameOf(other), language.get()));
}

export const iconOf = (category: string): string =>
  ({ hospital: "care", police: "shield", station: "car", camp: "home", ritual: "walk", gate: "switch" })[category] ?? "pin";
