import type { Component } from "preact";
import type { Wallet } from "api-types";
import { dayAndTime, money } from "../../../../shared/format";
import { useGet } from "../../../../shared/resources";
import { localized } from "../../../../shared/words";
import { Money, Section } from "../../../../shared/ui";
import type { View } from "../view";
import { words } from "../words";
import { FareParts } from "./trip";

/** The customer's payment, which says more than the order: what was paid, refunded and tipped. */
export const usePayment = (view: View): Wallet.Payment | undefined =>
  useGet("/wallet/v1/orders/{order}/payment", view.side === "customer" && !view.isOnlySeen ? { order: view.order.order } : null,
    [`payment:${view.order.order}`, `order:${view.order.order}`]).value;

const ways = (method: string | undefined): string =>
  ({ card: words.byCard, wallet: words.byWallet, cash: words.byCash, applePay: words.byApplePay, googlePay: words.byGooglePay, payPal: words.byPayPal, deskCash: words.byCash })[method ?? ""] ?? "";

/** What has happened to the money, as a sentence. */
export function moneySentence(view: View, payment?: Wallet.Payment): string {
  const { order, side } = view;
  const { state, method } = order.payment;
  const due = order.promo ? { amount: order.promo.toPay, currency: order.total.currency } : order.total;
  const amount = money(payment?.paid ?? due);
  if (state === "unpaid") {
    if (["cancelled", "refused", "expired"].includes(order.state)) return side === "customer" ? words.nothingCharged : words.notPaid;
    if (method !== "cash") return words.unpaid;
    return side === "customer" ? words.cashDue(money(due)) : words.cashTake(money(due));
  }
  if (side !== "customer") return { held: words.heldForProvider, captured: words.capturedForProvider, released: words.releasedForProvider }[state];
  return { held: words.held(amount, method === "wallet" ? words.inWallet : method === "card" ? words.onCard : ways(method)), captured: words.captured(amount, ways(method)), released: words.released(amount) }[state];
}

/** What was given back, when and where to. */
const Refunds: Component<{ view: View; sum: Wallet.Money }> = ({ view, sum }) => {
  const order = view.order.order;
  const refunds = useGet("/wallet/v1/orders/{order}/refunds", { order }, [`payment:${order}`]).value?.items;
  if (!refunds?.length) return <p class="muted small">{words.refunded(money(sum))}</p>;
  return (
    <>
      {refunds.map((one) => (
        <p key={one.refund} class="muted small">
          {words.refunded(money(one.amount))} · {one.to === "card" ? words.toCard : words.toWallet} · {dayAndTime(one.at)}
        </p>
      ))}
    </>
  );
};

/** What it costs, line by line, and what has happened to the money. */
export const MoneyPart: Component<{ view: View; payment?: Wallet.Payment }> = ({ view, payment }) => {
  const { order, side } = view;
  const currency = order.total.currency;
  return (
    <Section title={words.services}>
      <div class="card receipt">
        {order.services.map((service) => (
          <div key={service.service} class="line between"><span>{localized(service.name)}</span>{order.services.length > 1 && <Money value={{ amount: service.price, currency }} />}</div>
        ))}
        {order.promo && <div class="line between"><span>{words.discount(order.promo.code)}</span><Money value={{ amount: -order.promo.discount, currency }} /></div>}
        <div class="line between total">
          <strong>{order.isTotalRough ? words.roughTotal : order.promo ? words.toPay : words.total}</strong>
          <strong><Money value={order.promo ? { amount: order.promo.toPay, currency } : order.total} /></strong>
        </div>
        <p class="muted small">{moneySentence(view, payment)}</p>
        {side === "provider" && order.trip?.tip && order.trip.tip.amount > 0 && <p class="muted small">{words.tipGot(money(order.trip.tip))}</p>}
        {payment?.refunded && payment.refunded.amount > 0 && <Refunds view={view} sum={payment.refunded} />}
        {payment?.tip && payment.tip.amount > 0 && <p class="muted small">{words.tipped(money(payment.tip))}</p>}
        <FareParts view={view} />
        {order.fine && <div class="line between"><span>{words.fine}</span><Money value={order.fine} /></div>}
      </div>
    </Section>
  );
};
