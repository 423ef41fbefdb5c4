import type { Component } from "preact";
import type { Dispatch } from "api-types";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { dayKey, minorUnits, money, typedAmount } from "../../../shared/format";
import { CheckField, Form, FormState, SelectField, Submit, TextField, useForm } from "../../../shared/forms";
import type { ChosenPlace } from "../../../shared/map/place-picker";
import { invalidate, useGet } from "../../../shared/resources";
import { lazy } from "../../../shared/lazy";
import { to } from "../../../shared/router";
import { Button, List, Note, Row, Screen, Skeleton } from "../../../shared/ui";
import type { Draft } from "./draft";
import type { Paying } from "./repeat";
import { ruleOf, When } from "./rule";
import { weight } from "./weight";
import { words } from "./words";

const Repeat = lazy(() => import("./repeat"));

const placeOf = (place: ChosenPlace, note: string) =>
  ({ latitude: place.latitude, longitude: place.longitude, description: [note, place.name].filter(Boolean).join(", ").slice(0, 500) || undefined });

/** What similar parcels have cost; a tap takes the middle. */
const Estimate: Component<{ draft: Draft; market: string; onTake: (amount: number) => void }> = ({ draft, market, onTake }) => {
  const { from, to: goal } = draft;
  const found = useGet("/dispatch/v1/markets/{market}/parcels/estimate", from && goal ? {
    market, fromLatitude: from.latitude, fromLongitude: from.longitude, toLatitude: goal.latitude, toLongitude: goal.longitude, grams: draft.grams, fragile: draft.fragile,
  } : null);
  if (!found.value) return found.error ? null : <Skeleton kind="text" rows={2} />;
  const { basis, parcels, low, middle, high } = found.value;
  return (
    <Note icon="chart">
      <p>{basis === "rates" ? words.estimateRates(money(low), money(high)) : words.estimate(money(low), money(high), parcels)}</p>
      <Button kind="second" small onTap={() => onTake(middle.amount)}>{words.take(money(middle))}</Button>
    </Note>
  );
};

type Market = Dispatch.Market;

/** What it costs, who may carry it, and whether it goes again and again. */
const Price: Component<{ draft: Draft; market: Market; onDone: (path: string) => void }> = ({ draft, market, onDone }) => {
  const { currency, settings } = market;
  const amountOf = (text: string): number | undefined => (text.trim() ? minorUnits(text, currency) : undefined);
  const fee = settings.minimumRatingFee ?? 0;
  const [when, setWhen] = useState<When>({ every: "weekly", firstDay: dayKey(Date.now() + 86_400_000), time: "10:00", until: "" });
  const form = useForm({
    initial: { payment: draft.payment, deposit: draft.deposit, stars: "", repeats: false, pay: "wallet", consent: false },
    needed: ["payment"],
    keep: { name: "parcel-price" },
    check: (values) => ({
      payment: values.payment.trim() !== "" && amountOf(values.payment) === undefined && words.badAmount,
      deposit: values.deposit.trim() !== "" && amountOf(values.deposit) === undefined && words.badAmount,
      repeats: values.repeats && (!when.firstDay || !when.time) && words.repeatWhen,
      consent: values.repeats && values.pay !== "wallet" && !values.consent && words.consentNeeded,
    }),
    pointers: { "/firstDay": "repeats", "/time": "repeats", "/rule": "repeats", "/card": "pay", "/minimumRating": "stars", "/parcel/payment": "payment", "/parcel/deposit": "deposit" },
    send: async (values, key) => {
      const parcel = {
        name: draft.name, description: draft.description || undefined, grams: draft.grams, fragile: draft.fragile, photo: draft.photo, currency,
        origin: placeOf(draft.from as ChosenPlace, draft.fromNote), destination: placeOf(draft.to as ChosenPlace, draft.toNote),
        payment: amountOf(values.payment) ?? 0, deposit: amountOf(values.deposit) ?? 0, minimumRating: Number(values.stars) || undefined,
      };
      if (!values.repeats) {
        const order = await api.post("/dispatch/v1/markets/{market}/parcels", { market: market.id as string }, parcel, { key });
        return order.total.amount === 0 ? `o/${order.order}` : `pay/${order.order}`;
      }
      const card = values.pay === "wallet" ? undefined : values.pay;
      const made = await api.post("/dispatch/v1/series", {}, {
        market: market.id as string, parcel, rule: ruleOf(when), firstDay: when.firstDay, time: when.time, payment: card ? "card" : "wallet", card,
        consent: card ? values.consent : undefined, total: parcel.payment + (parcel.minimumRating ? fee : 0),
      }, { key });
      return `series/${made.series}`;
    },
    refused: (problem) => { if (problem.slug === "price-changed") invalidate("market"); },
    done: (path) => {
      invalidate("orders", "series");
      onDone(path);
    },
  });
  const payment = amountOf(form.values.payment);
  const total = payment === undefined ? undefined : payment + (form.values.stars ? fee : 0);
  const price = money({ amount: total ?? 0, currency });
  return (
    <Screen title={words.price} back="send?step=where" footer={(
      <Submit form={form}>{form.values.repeats ? words.repeatEach(price) : total ? words.postAndPay(price) : total === 0 ? words.post : words.send}</Submit>
    )}>
      <List>
        <Row icon="parcel" title={<bdi>{draft.name}</bdi>} href={to("send")}
          detail={<>{weight(draft.grams)}{draft.fragile && <> · {words.fragileMark}</>}</>} />
        <Row icon="pin" title={<bdi>{draft.from?.name}</bdi>} detail={<bdi>{draft.to?.name}</bdi>} href={to("send?step=where")} />
      </List>
      <Form form={form} label={words.price}>
        <Estimate draft={draft} market={market.id as string} onTake={(amount) => form.set("payment", typedAmount({ amount, currency }))} />
        <TextField form={form} name="payment" kind="amount" label={words.payment(currency as string)} hint={words.paymentHint} />
        {settings.latePay && <details class="fold"><summary>{words.late}</summary><p class="hint">{settings.latePay.text}</p></details>}
        <TextField form={form} name="deposit" kind="amount" label={words.deposit(currency as string)} hint={words.depositHint} optional />
        <SelectField form={form} name="stars" label={words.minimumRating} placeholder={words.anyRating}
          hint={fee ? words.minimumRatingFee(money({ amount: fee, currency })) : undefined} options={["3", "4", "4.5"].map((stars) => ({ value: stars, label: words.atLeast(stars) }))} />
        <CheckField form={form} name="repeats" label={words.repeats} hint={words.repeatsHint} />
        {form.values.repeats && <Repeat when={when} onChange={setWhen} form={form as unknown as FormState<Paying>} price={price} />}
        <p class="hint">{words.boardHint}</p>
      </Form>
    </Screen>
  );
};

export default Price;
