import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, textOf } from "../../../shared/api/problem";
import { placeAt, useHere } from "../../../shared/device/here";
import { distance, duration, money, number } from "../../../shared/format";
import { keepValue, useKept } from "../../../shared/kept";
import { MapMarker, MapView } from "../../../shared/map";
import { ChosenPlace, PlaceField, PlacePicker } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { go } from "../../../shared/router";
import { Empty, Icon, Money, Note, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Confirm } from "./confirm";
import { described, Fare } from "./fare";
import { Promo } from "./promo";
import { useQuotes, wayOut } from "./quoting";
import { words } from "./words";

const sizes = ["regular", "xl"] as const;

const Choice: Component<{ quote: Dispatch.Quote; chosen: boolean; onChoose: () => void }> = ({ quote, chosen, onChoose }) => (
  <label class="choice">
    <input type="radio" name="size" value={quote.size} checked={chosen} onChange={onChoose} />
    <Icon name="car" size={quote.size === "xl" ? 32 : 24} />
    <span class="row-text">
      <span class="row-title">{quote.size === "xl" ? words.xl : words.regular}</span>
      <span class="row-detail">{duration(quote.seconds)} · {distance(quote.metres)} · {quote.waitSeconds === undefined ? words.noneFree : words.wait(duration(quote.waitSeconds))}</span>
    </span>
    <span class="row-end">
      {quote.discount.amount > 0 && <><s class="muted small"><Money value={quote.price} /></s><br /></>}
      <b><Money value={quote.toPay} /></b>
    </span>
  </label>
);

/** From here to there: which car, what it costs and how long it takes; then the order. */
const FindRide: Component<ScreenProperties> = () => {
  const { id: market } = useMarket();
  const here = useHere();
  const [from, setFrom] = useKept<ChosenPlace>("ride-from");
  const [target, setTarget] = useKept<ChosenPlace>("ride-to");
  const [isChoosing, setChoosing] = useState(target === undefined);
  const [size, setSize] = useState<(typeof sizes)[number]>("regular");
  const [promo, setPromo] = useState("");
  const [sending, setSending] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const key = useRef(newKey());

  // One is picked up where one is, unless one says otherwise.
  useEffect(() => {
    if (from || !here.at) return;
    void placeAt(market, here.at).then((found) => { if (found) setFrom(found); }, () => undefined);
  }, [here.at, from]);

  const quoting = useQuotes(from && target
    ? sizes.map((one) => ({ market, kind: "ride" as const, size: one, from: described(from), to: described(target), ...(promo ? { promo } : {}) })) : null);
  const quote = quoting.quotes?.find((one) => one.size === size);
  const markers: MapMarker[] = [];
  if (from) markers.push({ id: "from", at: from, label: words.from, look: "here" });
  if (target) markers.push({ id: "to", at: target, label: words.to, icon: "flag" });

  const order = async (): Promise<void> => {
    if (!quote) return;
    setSending({ isBusy: true });
    try {
      const made = await api.post("/dispatch/v1/markets/{market}/rides", { market }, { quote: quote.quote }, { key: key.current });
      keepValue("ride-from", undefined);
      keepValue("ride-to", undefined);
      go(`pay/${made.order}`, { replace: true });
    } catch (error) {
      if (wayOut(error) === "quote") quoting.again();
      if (isDecided(error)) key.current = newKey();
      setSending({ isBusy: false, error });
    }
  };

  return (
    <Screen title={words.title} back="" footer={quote && !quoting.error ? (
      <Confirm quoting={quoting} price={money(quote.toPay)} busy={sending.isBusy} out={wayOut(sending.error)}
        fault={sending.error ? textOf(sending.error) : undefined} onOrder={() => void order()} />
    ) : undefined}>
      <div class="stack tight">
        <PlaceField label={words.from} value={from} onChoose={setFrom} />
        {!from && here.isLooking && <p class="hint" role="status">{words.looking}</p>}
        {!from && here.failure && <Note tone="warning">{here.failure}</Note>}
        <PlaceField label={words.to} value={target} onChoose={setTarget} />
      </div>
      {isChoosing && (
        <PlacePicker title={words.whereTo} start={target} onClose={() => setChoosing(false)}
          onChoose={(place) => { setTarget(place); setChoosing(false); }} />
      )}
      {quoting.error ? <Empty icon="warning" title={words.cannot} text={textOf(quoting.error)} />
        : quoting.quotes ? (
          <>
            {quote && quote.surge.percent > 100 && <Note tone="warning" icon="chart">{words.surge(number(quote.surge.percent / 100, 2))}</Note>}
            <fieldset class="field">
              <legend>{words.size}</legend>
              <div class="choices">
                {quoting.quotes.map((one) => <Choice key={one.size} quote={one} chosen={one.size === size} onChoose={() => setSize(one.size as "regular")} />)}
              </div>
            </fieldset>
            <p class="hint">{words.heldNext}</p>
            <Promo value={promo} promotion={quote?.promotion} onApply={setPromo} />
            {quote && <Fare quote={quote} />}
          </>
        ) : quoting.isLoading ? <Skeleton kind="card" rows={2} /> : <p class="muted center">{from ? words.chooseBoth : words.chooseFrom}</p>}
      {from && target && <MapView centre={from} markers={markers} line={[from, target]} fits />}
    </Screen>
  );
};

export default FindRide;
