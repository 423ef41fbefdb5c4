import { useEffect, useState } from "preact";
import { api } from "../api/client";
import { textOf } from "../api/problem";
import { Cell, useCell } from "../cell";
import type { ChosenPlace } from "../map/place-picker";
import { catalogue } from "../words";
import { currentPosition, Fix, mayReadPosition } from "./position";

const words = catalogue({ here: { en: "Where I am now", ar: "مكاني الحالي" } });
const last = new Cell<Fix | undefined>(undefined);

/** Where the phone was last seen. It is asked for at once where the person has allowed it before, else by `find`. */
export function useHere(): { at?: Fix; isLooking: boolean; failure?: string; find: () => Promise<void> } {
  const at = useCell(last);
  const [state, setState] = useState<{ isLooking: boolean; failure?: string }>({ isLooking: false });
  const find = async (): Promise<void> => {
    setState({ isLooking: true });
    try {
      last.set(await currentPosition());
      setState({ isLooking: false });
    } catch (error) {
      setState({ isLooking: false, failure: textOf(error) });
    }
  };
  useEffect(() => {
    void mayReadPosition().then((may) => { if (may) void find(); });
  }, []);
  return { at, ...state, find };
}

/** The place of a position, as the market names it. Undefined where it is not served. */
export async function placeAt(market: string, at: Fix): Promise<ChosenPlace | undefined> {
  const { latitude, longitude } = at;
  const found = await api.get("/dispatch/v1/markets/{market}/places/at", { market, latitude, longitude });
  return found.served ? { latitude, longitude, name: found.name ?? words.here } : undefined;
}
