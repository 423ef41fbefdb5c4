import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, textOf } from "../../../shared/api/problem";
import { distance, duration, money } from "../../../shared/format";
import { MapMarker, MapView } from "../../../shared/map";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Button, Empty, Icon, Loaded, Note, Screen, Skeleton } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { wayOut } from "../ride/quoting";
import { words as rideWords } from "../ride/words";
import { Asked } from "./asked";
import type { BikeChoice } from "./choice";
import { words } from "./words";

/** A bike that one fetches oneself: the nearest racks that have one, what it costs, and the reservation. */
export const FetchBike: Component<BikeChoice> = (choice) => {
  const { id: market, market: terms } = useMarket();
  const { type, place } = choice;
  const racks = useGet("/dispatch/v1/markets/{market}/racks/nearest",
    place ? { market, latitude: place.latitude, longitude: place.longitude, type, limit: 10 } : null);
  const prices = useGet("/dispatch/v1/markets/{market}/hires/terms", { market });
  const [rack, setRack] = useState<string | undefined>(undefined);
  const [sending, setSending] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const key = useRef(newKey());
  const items = racks.value?.items ?? [];
  const chosen = items.find((one) => one.rack === rack) ?? items[0];
  // Where the chosen rack has become empty, why stays beside the next one.
  useEffect(() => setSending({ isBusy: false }), [type, rack]);

  const reserve = async (): Promise<void> => {
    const total = prices.value?.held;
    setSending({ isBusy: true });
    try {
      const made = await api.post("/dispatch/v1/markets/{market}/hires", { market }, { rack: chosen.rack, type, total }, { key: key.current });
      go(`pay/${made.order}`, { replace: true });
    } catch (error) {
      if (isDecided(error)) key.current = newKey();
      setSending({ isBusy: false, error });
      void racks.reload();
      // What it costs now stands on the button then.
      void prices.reload();
    }
  };
  const markers: MapMarker[] = items.map((one) => ({
    id: one.rack, at: one, label: one.name, icon: "bike", look: one === chosen ? "pin" : "moving", onTap: () => setRack(one.rack),
  }));
  if (place) markers.push({ id: "here", at: place, label: words.where, look: "here" });
  const cents = (amount: number): string => money({ amount, currency: prices.value?.held.currency ?? terms?.currency ?? "AUD" });
  const out = wayOut(sending.error);
  return (
    <Screen title={words.title} back="" footer={chosen && prices.value ? (
      <>
        {sending.error ? <Note tone="danger" live>{textOf(sending.error)}{out === "fine" && <> <a href={to("wallet")}>{rideWords.finePending}</a></>}</Note> : null}
        {out === "card" ? <Button href={to("wallet/cards")}>{words.addCard}</Button> : (
          <>
            <p class="hint">{words.chosen(isolate(chosen.name))}</p>
            <Button busy={sending.isBusy} onTap={() => void reserve()}>{words.reserve(money(prices.value.held))}</Button>
          </>
        )}
      </>
    ) : undefined}>
      <Asked {...choice} label={words.where} />
      {!place ? (choice.isLooking ? <Skeleton rows={3} /> : <Empty icon="pin" title={words.chooseWhere} />) : (
        <Loaded of={racks} skeleton={<Skeleton rows={3} />}>
          {() => items.length === 0 ? <Empty icon="bike" title={words.none} text={words.noneText} /> : (
            <>
              <fieldset class="field">
                <legend>{words.racks}</legend>
                <div class="choices">
                  {items.map((one) => (
                    <label key={one.rack} class="choice">
                      <input type="radio" name="rack" value={one.rack} checked={one === chosen} onChange={() => setRack(one.rack)} />
                      <Icon name="bike" />
                      <span class="row-text"><span class="row-title"><bdi>{one.name}</bdi></span><span class="row-detail">{words.free(one.bikes[type] ?? 0)}</span></span>
                      {one.metres !== undefined && <span class="row-end">{distance(one.metres)}</span>}
                    </label>
                  ))}
                </div>
              </fieldset>
              {prices.value && (
                <Note icon="cash">{words.terms(cents(prices.value.base), cents(prices.value.perMinute), cents(prices.value.minimum))}<br />
                  <span class="muted">{words.longest(duration(prices.value.longestSeconds), money(prices.value.held))}</span>
                </Note>
              )}
              <p class="hint">{words.reserved}</p>
              <MapView centre={place} follow={place} markers={markers} fits />
            </>
          )}
        </Loaded>
      )}
    </Screen>
  );
};
