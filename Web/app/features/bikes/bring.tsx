import type { Component } from "preact";
import { useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, textOf } from "../../../shared/api/problem";
import { distance, duration, money, number } from "../../../shared/format";
import { MapMarker, MapView } from "../../../shared/map";
import { useMarket } from "../../../shared/market";
import { go } from "../../../shared/router";
import { Empty, Icon, List, Money, Note, Row, Screen, Skeleton } from "../../../shared/ui";
import { Confirm } from "../ride/confirm";
import { described, Fare } from "../ride/fare";
import { Promo } from "../ride/promo";
import { useQuotes, wayOut } from "../ride/quoting";
import { words as rideWords } from "../ride/words";
import { Asked } from "./asked";
import type { BikeChoice } from "./choice";
import { words } from "./words";

/** A bike that a driver brings from the nearest rack. */
export const BringBike: Component<BikeChoice> = (choice) => {
  const { id: market } = useMarket();
  const { type, place } = choice;
  const [promo, setPromo] = useState("");
  const [sending, setSending] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const key = useRef(newKey());
  const quoting = useQuotes(place ? [{ market, kind: "bikeDropOff", bike: type, to: described(place), ...(promo ? { promo } : {}) }] : null);
  const quote = quoting.quotes?.[0];

  const order = async (): Promise<void> => {
    if (!quote) return;
    setSending({ isBusy: true });
    try {
      const made = await api.post("/dispatch/v1/markets/{market}/drop-offs", { market }, { quote: quote.quote }, { key: key.current });
      go(`pay/${made.order}`, { replace: true });
    } catch (error) {
      if (isDecided(error)) key.current = newKey();
      if (wayOut(error) === "quote") quoting.again();
      setSending({ isBusy: false, error });
    }
  };
  const markers: MapMarker[] = quote && place ? [
    { id: "rack", at: quote.from, label: words.rack, icon: "bike" }, { id: "here", at: place, label: words.to, look: "here" },
  ] : [];
  return (
    <Screen title={words.title} back="" footer={quote && !quoting.error ? (
      <Confirm quoting={quoting} price={money(quote.toPay)} busy={sending.isBusy} out={wayOut(sending.error)}
        fault={sending.error ? textOf(sending.error) : undefined} onOrder={() => void order()} />
    ) : undefined}>
      <Asked {...choice} label={words.to} />
      {!place ? (choice.isLooking ? <Skeleton rows={3} /> : <Empty icon="pin" title={words.chooseTo} />)
        : quoting.error ? <Empty icon="bike" title={words.cannot} text={textOf(quoting.error)} />
        : quote ? (
          <>
            {quote.surge.percent > 100 && <Note tone="warning" icon="chart">{rideWords.surge(number(quote.surge.percent / 100, 2))}</Note>}
            <List>
              <Row icon="bike" title={quote.from.description ? <>{words.rack} <bdi>{quote.from.description}</bdi></> : words.rack}
                detail={words.way(distance(quote.metres), duration(quote.seconds))} end={<b><Money value={quote.toPay} /></b>} />
              <Row icon="car" title={quote.waitSeconds === undefined ? words.nobody : words.driverIn(duration(quote.waitSeconds))} />
              {quote.useSeconds !== undefined && <li class="row"><span class="row-icon"><Icon name="clock" /></span><span class="row-text">{words.use(duration(quote.useSeconds))}</span></li>}
            </List>
            <p class="hint">{words.heldNext}</p>
            <Promo value={promo} promotion={quote.promotion} onApply={setPromo} />
            <Fare quote={quote} />
            <MapView key={quote.rack} centre={place} markers={markers} line={[quote.from, place]} fits />
          </>
        ) : <Skeleton kind="card" rows={2} />}
    </Screen>
  );
};
