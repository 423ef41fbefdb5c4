import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, Problem, textOf } from "../../../shared/api/problem";
import { distance, money, time } from "../../../shared/format";
import { PlaceField } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { Photo } from "../../../shared/photo";
import { useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Button, Empty, Money, Note, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Confirm } from "../ride/confirm";
import { described } from "../ride/fare";
import { Promo } from "../ride/promo";
import { useQuotes, wayOut } from "../ride/quoting";
import { Cart, changed, Line, setCart, sumOf, useCart } from "./cart";
import { Count } from "./count";
import { useDelivery } from "./index";
import { words } from "./words";

interface Change {
  name: string;
  from: number;
  /** Undefined of what is not sold any more. */
  to?: number;
}

/** A promo code on a whole order: the quote has reckoned it on the way alone. */
function discountOn(price: number, promotion: Dispatch.Quote["promotion"]): number {
  if (!promotion || (!promotion.counts && promotion.problem !== "below-minimum")) return 0;
  if (price <= 0 || price < (promotion.minimumPrice?.amount ?? 0)) return 0;
  const part = promotion.basisPoints === undefined ? promotion.amount?.amount ?? 0
    : Math.min(Math.floor((price * promotion.basisPoints) / 10_000), promotion.maximum?.amount ?? Infinity);
  return Math.min(price, part);
}

/** What differs between the cart and the menu of now, and the cart as it has to be. */
function compare(cart: Cart, menu: { item: string; name?: string; price?: number }[], isWhole: boolean): { changes: Change[]; lines: Line[] } {
  const changes: Change[] = [];
  const lines = cart.lines.flatMap((line) => {
    const now = menu.find((one) => one.item === line.item);
    if (!now && !isWhole) return [line];
    if (!now || now.price === undefined) {
      changes.push({ name: line.name, from: line.price });
      return [];
    }
    if (now.price !== line.price) changes.push({ name: now.name ?? line.name, from: line.price, to: now.price });
    return [{ ...line, name: now.name ?? line.name, price: now.price }];
  });
  return { changes, lines };
}

const Changes: Component<{ changes: Change[]; currency: string }> = ({ changes, currency }) => {
  const price = (amount: number): string => money({ amount, currency });
  return (
    <Note tone="warning" live>
      <b>{words.changed}</b>
      <ul>{changes.map((one) => <li key={one.name}><bdi>{one.name}</bdi>: {one.to === undefined ? words.gone : words.was(price(one.from), price(one.to))}</li>)}</ul>
    </Note>
  );
};

/** The order before it is sent: what, where to, what it costs and when it comes. */
const Checkout: Component<ScreenProperties> = ({ params }) => {
  const { id: market } = useMarket();
  const found = useGet("/dispatch/v1/restaurants/{id}", { id: params.restaurant });
  const cart = useCart();
  const { target, setTarget, failure } = useDelivery();
  const [promo, setPromo] = useState("");
  const [seen, setSeen] = useState<Change[]>([]);
  const [sending, setSending] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const key = useRef(newKey());
  const own = cart?.restaurant === params.restaurant ? cart : undefined;
  const quoting = useQuotes(own && target ? [{ market, kind: "food", restaurant: params.restaurant, to: described(target), ...(promo ? { promo } : {}) }] : null);
  const quote = quoting.quotes?.[0];

  // What the menu says now, if it was read after the cart was filled.
  const stale = own && found.value && !found.isOld && !found.isLoading ? compare(own, found.value.menu, true) : undefined;
  useEffect(() => {
    if (!own || !stale?.changes.length) return;
    setSeen(stale.changes);
    setCart({ ...own, lines: stale.lines });
  }, [stale?.changes.length]);

  if (!own) {
    return <Screen title={words.yourOrder} back="food"><Empty icon="food" title={words.nothing}><Button href={to(`food/${params.restaurant}`)}>{words.toMenu}</Button></Empty></Screen>;
  }
  const food = sumOf(own.lines);
  const { currency } = own;
  const whole = food + (quote?.price.amount ?? 0);
  const discount = discountOn(whole, quote?.promotion);
  const total = { amount: whole - discount, currency };

  const order = async (): Promise<void> => {
    if (!quote) return;
    setSending({ isBusy: true });
    try {
      const items = own.lines.map(({ item, count, price }) => ({ item, count, price }));
      const made = await api.post("/dispatch/v1/markets/{market}/meals", { market }, { restaurant: params.restaurant, quote: quote.quote, currency, items }, { key: key.current });
      setCart(undefined);
      go(`pay/${made.order}`, { replace: true });
    } catch (error) {
      if (isDecided(error)) key.current = newKey();
      if (error instanceof Problem && error.slug === "menu-changed") {
        // Its names are in one language only; those of the cart stay.
        const items = (error.body.items ?? []) as { item: string; price?: number }[];
        const news = compare(own, items.map(({ item, price }) => ({ item, price })), false);
        setSeen(news.changes);
        setCart({ ...own, lines: news.lines });
        setSending({ isBusy: false });
        void found.reload();
        return;
      }
      if (wayOut(error) === "quote") quoting.again();
      setSending({ isBusy: false, error });
    }
  };

  return (
    <Screen title={words.yourOrder} back={`food/${params.restaurant}`} footer={quote && !quoting.error ? (
      <Confirm quoting={quoting} price={money(total)} busy={sending.isBusy} out={wayOut(sending.error)}
        fault={sending.error ? textOf(sending.error) : undefined} onOrder={() => void order()} />
    ) : undefined}>
      <h2><bdi>{found.value?.name ?? own.name}</bdi></h2>
      {seen.length > 0 && <Changes changes={seen} currency={currency} />}
      {found.value && !found.value.open && <Note tone="warning" live>{words.closed}</Note>}
      <ul class="list dishes" aria-label={words.yourOrder}>
        {own.lines.map((kept) => ({ ...kept, name: found.value?.menu.find((one) => one.item === kept.item)?.name ?? kept.name })).map((line) => (
          <li key={line.item} class="row">
            <Photo id={line.picture} icon="food" />
            <span class="row-text"><span class="row-title"><bdi>{line.name}</bdi></span>
              <span class="row-detail">{line.count > 1 && <>{words.each(money({ amount: line.price, currency }))} · </>}<Money value={{ amount: line.price * line.count, currency }} /></span>
            </span>
            <Count name={line.name} value={line.count} onChange={(by) => setCart({ ...own, lines: changed(own.lines, line, by) })} />
          </li>
        ))}
      </ul>
      <Button kind="quiet" icon="plus" href={to(`food/${params.restaurant}`)}>{words.more}</Button>
      <PlaceField label={words.deliverTo} value={target} onChoose={setTarget} />
      {!target && failure && <Note tone="warning">{failure}</Note>}
      {quoting.error ? <Note tone="danger" live><b>{words.cannot}</b><br />{textOf(quoting.error)}</Note>
        : quote ? (
          <>
            {quote.arrivesAt && <Note icon="clock">{words.arrives(time(quote.arrivesAt))}</Note>}
            <dl class="facts">
              <dt>{words.items}</dt><dd><Money value={{ amount: food, currency }} /></dd>
              <dt>{words.delivery(distance(quote.metres))}</dt><dd><Money value={quote.price} /></dd>
              {discount > 0 && <><dt>{words.discount}</dt><dd><Money value={{ amount: -discount, currency }} /></dd></>}
              <dt><b>{words.total}</b></dt><dd><b><Money value={total} /></b></dd>
            </dl>
            <p class="hint">{words.heldNext}</p>
            <Promo value={promo} promotion={quote.promotion} onApply={setPromo} />
          </>
        ) : quoting.isLoading ? <Skeleton kind="text" rows={3} /> : null}
    </Screen>
  );
};

export default Checkout;
