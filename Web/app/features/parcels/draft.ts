import type { ChosenPlace } from "../../../shared/map/place-picker";
import { useKept } from "../../../shared/kept";

/** What somebody has typed of a parcel that is not posted yet. It outlives a reload. */
export interface Draft {
  name: string;
  description: string;
  photo?: string;
  grams: number;
  fragile: boolean;
  from?: ChosenPlace;
  fromNote: string;
  to?: ChosenPlace;
  toNote: string;
  payment: string;
  deposit: string;
}

export const noDraft: Draft = { name: "", description: "", grams: 0, fragile: false, fromNote: "", toNote: "", payment: "", deposit: "" };

export function useDraft(): [Draft, (draft: Draft | undefined) => void] {
  const [kept, keep] = useKept<Draft>("parcel");
  return [{ ...noDraft, ...kept }, keep];
}
