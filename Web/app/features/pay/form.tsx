import type { Dispatch, Wallet } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { clock, dayAndTime, Money as Amount, money } from "../../../shared/format";
import { Form, FormState, Submit, useForm } from "../../../shared/forms";
import { begun, newCardPointers, checkWay, firstValues, firstWay, instrument, PayValues, WayFields, Ways, wayIsShort } from "../../../shared/pay";
import { invalidate, put } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Button, Money, Note, Screen, useSecondsLeft } from "../../../shared/ui";
import { PromoCode } from "./promo";
import { words } from "./words";

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Pays; an order that the wallet has not heard of yet is tried again for some seconds, with the same key. */
async function pay(order: string, body: Parameters<typeof send>[1], key: string): Promise<Wallet.Payment> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send(order, body, key);
    } catch (error) {
      const isEarly = error instanceof Problem && error.slug === "order-state" && error.body.state === "requested";
      if (!isEarly || attempt === 8) throw error;
      await wait(1000);
    }
  }
}
const send = (order: string, body: { method: Wallet.PaymentMethod; card?: string; cvvToken?: string; token?: string; promoCode?: string }, key: string): Promise<Wallet.Payment> =>
  api.post("/wallet/v1/orders/{order}/payment", { order }, body, { key });

function heldText(way: string, amount: string): string {
  if (way === "cash") return words.heldCash;
  if (way === "wallet") return words.heldWallet(amount);
  return way === "payPal" ? words.heldPayPal(amount) : words.heldCard(amount);
}

const Price: Component<{ order: Dispatch.Order; price: Amount; discount?: Amount; toPay: Amount }> = ({ order, price, discount, toPay }) => (
  <div class="card">
    <dl class="facts">
      {order.services.length > 0 && order.kind !== "parcel" && order.services.map((line) => (
        <><dt key={line.service}><bdi>{line.name[document.documentElement.lang] ?? line.name.en ?? ""}</bdi></dt><dd><Money value={{ amount: line.price, currency: price.currency }} /></dd></>
      ))}
      {order.parcel && <><dt><bdi>{order.parcel.name}</bdi></dt><dd><Money value={price} /></dd></>}
      {discount && discount.amount > 0 && (
        <><dt>{words.discount}</dt><dd><Money value={{ amount: -discount.amount, currency: discount.currency }} /></dd></>
      )}
      <dt><strong>{words.toPay}</strong></dt><dd class="amount"><Money value={toPay} /></dd>
    </dl>
  </div>
);

const Deadline: Component<{ until: string }> = ({ until }) => {
  const left = useSecondsLeft(until);
  if (left > 3600) return <p class="muted">{words.payBy(dayAndTime(until))}</p>;
  return <p class={left < 120 ? "fault" : "muted"} role="timer"><bdi>{left > 0 ? words.timeLeft(clock(left)) : words.timeOver}</bdi></p>;
};

/** Chooses how to pay, and pays. */
export const PayForm: Component<{ order: Dispatch.Order; payment: Wallet.Payment; ways: Ways }> = ({ order, payment, ways }) => {
  const [promotion, setPromotion] = useState<Wallet.Promotion | undefined>(undefined);
  const price = payment.amount;
  const quoted = order.promo;
  const discount: Amount | undefined = promotion?.discount ?? (quoted ? { amount: quoted.discount, currency: price.currency } : undefined);
  const toPay: Amount = promotion?.toPay ?? (quoted ? { amount: quoted.toPay, currency: price.currency } : price);
  const form: FormState<PayValues> = useForm<PayValues, Wallet.Payment>({
    initial: firstValues(ways, toPay),
    check: checkWay,
    pointers: newCardPointers,
    send: async (values, key) => pay(order.order, { ...(await instrument(form, values, key, toPay)), promoCode: promotion?.code }, key),
    done: (answer) => {
      if (answer.state === "authorising") begun.add(order.order);
      put("/wallet/v1/orders/{order}/payment", { order: order.order }, answer);
      invalidate("wallet", `order:${order.order}`, "orders");
    },
    refused: (problem) => {
      invalidate(`payment:${order.order}`, `order:${order.order}`);
      if (problem.slug === "promo-code-not-usable") setPromotion(undefined);
    },
  });
  const { values } = form;
  // A card that was deleted elsewhere, or stored in another tab.
  const isGone = values.way.startsWith("card:") && !ways.cards.some((card) => `card:${card.card}` === values.way);
  useEffect(() => {
    if (isGone && !form.isBusy) form.set("way", firstWay(ways, toPay));
  }, [isGone]);
  const isShort = wayIsShort(values, ways, toPay);
  const amount = money(toPay);
  const missing = { amount: toPay.amount - (ways.wallet?.available ?? 0), currency: toPay.currency };
  const next = isShort
    ? <Button href={to(`wallet/top-up?amount=${missing.amount}&to=${encodeURIComponent(`pay/${order.order}`)}`)}>{words.fill}</Button>
    : <Submit form={form}>{values.way === "cash" ? words.payCash(amount) : words.payNow(amount)}</Submit>;
  return (
    <Screen title={words.title} back={`o/${order.order}`} footer={next}>
      {payment.refusal && <Note tone="danger" live><strong>{words.refused}.</strong> {payment.refusalText && `${payment.refusalText}. `}{words.nothingTaken}</Note>}
      <Price order={order} price={price} discount={discount} toPay={toPay} />
      {order.deadline && <Deadline until={order.deadline} />}
      <Form form={form} label={words.title}>
        <WayFields form={form} ways={ways} price={toPay} />
      </Form>
      {order.kind !== "parcel" && <PromoCode order={order.order} found={promotion} onFound={setPromotion} />}
      {isShort ? <Note tone="warning">{words.short(money(missing))}</Note> : <p class="hint">{heldText(values.way, amount)}</p>}
    </Screen>
  );
};
