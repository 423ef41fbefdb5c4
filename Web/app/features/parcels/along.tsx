import type { Component } from "preact";
import { useState } from "preact";
import { distance, duration } from "../../../shared/format";
import { useKept } from "../../../shared/kept";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { MapView } from "../../../shared/map";
import { More, usePages } from "../../../shared/pages";
import { Empty, Icon, List, Loaded } from "../../../shared/ui";
import { ItemRow } from "./item";
import { words } from "./board-words";

interface Way {
  from?: ChosenPlace;
  to?: ChosenPlace;
  detour: number;
}
const detours = [2000, 5000, 10_000, 20_000];

/** Parcels that lie along one's own way: from where, to where, and how much longer it may become. */
export const Along: Component<{ market: string }> = ({ market }) => {
  const [kept, keep] = useKept<Way>("along");
  const way = kept ?? { detour: 5000 };
  const [sort, setSort] = useState<"detour" | "payment">("detour");
  const { from, to } = way;
  const pages = usePages("/dispatch/v1/markets/{market}/board/along", from && to ? {
    market, fromLatitude: from.latitude, fromLongitude: from.longitude, toLatitude: to.latitude, toLongitude: to.longitude, detourMetres: way.detour, sort, limit: 30,
  } : null, ["board", "orders"], (item) => item.order.order);
  const items = pages.items ?? [];
  return (
    <div class="stack">
      <PlaceField label={words.alongFrom} value={from} onChoose={(place) => keep({ ...way, from: place })} />
      <PlaceField label={words.alongTo} value={to} onChoose={(place) => keep({ ...way, to: place })} />
      <div class="pair">
        <label class="field"><span>{words.detour}</span>
          <span class="input select"><select value={way.detour} onChange={(event) => keep({ ...way, detour: Number((event.target as HTMLSelectElement).value) })}>
            {detours.map((metres) => <option key={metres} value={metres}>{distance(metres)}</option>)}
          </select><Icon name="chevron-down" /></span>
        </label>
        <label class="field"><span>{words.sort}</span>
          <span class="input select"><select value={sort} onChange={(event) => setSort((event.target as HTMLSelectElement).value as typeof sort)}>
            <option value="detour">{words.leastDetour}</option><option value="payment">{words.bestPaid}</option>
          </select><Icon name="chevron-down" /></span>
        </label>
      </div>
      {!from || !to ? <Empty icon="walk" title={words.alongWhere} text={words.alongText} /> : (
        <Loaded of={pages.first}>
          {() => (items.length === 0 ? <Empty icon="parcel" title={words.alongNothing} text={words.alongNothingText} /> : (
            <>
              <MapView key={`${from.latitude} ${to.latitude}`} centre={from} fits line={[from, to]} markers={[
                { id: "from", at: from, label: words.alongFrom, look: "here" }, { id: "to", at: to, label: words.alongTo, icon: "flag" },
                ...items.map(({ order }) => ({ id: order.order, at: order.place, label: order.parcel?.name ?? "", icon: "parcel" })),
              ]} />
              <p class="muted" role="status">{words.found(items.length)}</p>
              <List label={words.along}>
                {items.map((item) => <ItemRow key={item.order.order} order={item.order} away={words.longer(distance(item.detourMetres), duration(item.detourSeconds))} />)}
              </List>
              <More of={pages} />
            </>
          ))}
        </Loaded>
      )}
    </div>
  );
};
