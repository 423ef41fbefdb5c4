import type { Admin } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { minorUnits, money as text, typedAmount } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Button, Loaded, Money, toast } from "../../../shared/ui";
import { Act, Facts, Fold, kitWords, openAct, optionsOf, Part, reasonField, secondApproval, Table, When } from "../../kit";
import { useMay } from "../../rights";
import { orderTags } from "./desk-acts";
import { words } from "./words";

/** Gives back a part or all of what an order has cost. */
export const Refund: Component<{ order: Admin.MarketOrder }> = ({ order }) => {
  const { currency } = order.total;
  const funders: Record<string, string> = { platform: words.platform, ...(order.provider ? { provider: words.provider } : {}), ...(order.merchant ? { merchant: words.merchant } : {}) };
  return (
    <Act label={words.refund} title={words.refund} text={words.refundText} tags={[...orderTags(order.order), "refunds", `refunds:${order.order}`]}
      fields={[
        { name: "amount", label: `${words.amount} (${currency})`, kind: "amount", initial: typedAmount(order.total) },
        { name: "to", label: words.to, kind: "choice", initial: "wallet", options: optionsOf({ wallet: words.wallet, card: words.card }) },
        { name: "fundedBy", label: words.funded, kind: "choice", initial: "platform", options: optionsOf(funders) },
        { name: "mayOwe", label: words.mayOwe, kind: "check", when: (values) => values.fundedBy !== "platform" },
        reasonField(),
      ]}
      check={(values) => ({ amount: minorUnits(String(values.amount), currency) === undefined && kitWords.badAmount })}
      send={(values, key) => api.post("/wallet/v1/orders/{order}/refunds", { order: order.order }, {
        amount: minorUnits(String(values.amount), currency) ?? 0, to: values.to as "wallet", fundedBy: values.fundedBy as "platform",
        mayOwe: values.fundedBy === "platform" ? undefined : Boolean(values.mayOwe), reason: String(values.reason),
      }, { key })}
      told={secondApproval} />
  );
};

/** Asks from what a customer on the phone pays: the wallet, or a card that its owner has released for such orders. */
async function askCharge(order: Admin.MarketOrder, market: string): Promise<void> {
  try {
    const { items } = await api.get("/wallet/v1/markets/{market}/people/{account}/consenting-cards", { market, account: order.customer.account });
    const options = [
      { value: "wallet", label: words.wallet },
      ...items.map((card) => ({ value: card.id, label: `${card.brand} …${card.last4}`, detail: words.until(card.expires) })),
    ];
    openAct({
      label: words.charge, title: words.charge, text: items.length === 0 ? words.chargeWalletText : words.chargeText, tags: orderTags(order.order),
      fields: [{ name: "from", label: words.chargeFrom, kind: "choice", options, initial: "wallet" }],
      send: ({ from }, key) => api.post("/wallet/v1/markets/{market}/payments/{order}/charge", { market, order: order.order },
        from === "wallet" ? { method: "wallet" } : { method: "card", card: String(from) }, { key }),
    });
  } catch (error) {
    toast(textOf(error));
  }
}

/** For a visit that waits to be paid: cash that the desk has, or what the customer agreed to on the phone. */
export const PayByDesk: Component<{ order: Admin.MarketOrder }> = ({ order }) => {
  const { market } = usePlace();
  const may = useMay();
  const id = { market, order: order.order };
  return (
    <>
      <Act label={words.cash} title={words.cash} text={words.cashText(text(order.total))} tags={orderTags(order.order)}
        send={(_, key) => api.post("/wallet/v1/markets/{market}/payments/{order}/cash", id, { amount: order.total.amount }, { key })} />
      {may && <Button onTap={() => void askCharge(order, market)}>{words.charge}</Button>}
    </>
  );
};

const Transfers: Component<{ order: string }> = ({ order }) => {
  const { market } = usePlace();
  const history = useGet("/wallet/v1/markets/{market}/payments/{order}", { market, order }, [`order:${order}`]);
  return (
    <Loaded of={history}>
      {(found) => (
        <>{found.transfers.map((transfer) => (
          <div key={transfer.transfer} class="part">
            <strong>{transfer.kindText} · <When at={transfer.at} exact /></strong>
            <Table label={transfer.kindText} items={transfer.entries} idOf={(entry) => `${entry.account} ${entry.amount}`} columns={[
              { id: "account", label: words.by, cell: (entry) => entry.accountText },
              { id: "amount", label: words.amount, end: true, cell: (entry) => <Money signed value={{ amount: entry.amount, currency: found.amount.currency }} /> },
            ]} />
          </div>
        ))}</>
      )}
    </Loaded>
  );
};

const Refunds: Component<{ order: string }> = ({ order }) => {
  const found = useGet("/wallet/v1/orders/{order}/refunds", { order }, [`refunds:${order}`]);
  if (!found.value?.items.length) return null;
  return (
    <Table label={words.refunds} items={found.value.items} idOf={(one) => one.refund} columns={[
      { id: "at", label: words.refunds, cell: (one) => <When at={one.at} /> },
      { id: "reason", label: words.reason, cell: (one) => one.reasonText ?? one.reason },
      { id: "amount", label: words.amount, end: true, cell: (one) => <Money value={one.amount} /> },
    ]} />
  );
};

export const OrderMoney: Component<{ order: Admin.OrderDetails }> = ({ order }) => (
  <Part title={words.money} end={<Badge>{order.payment.stateText}</Badge>}>
    <Facts of={[
      [words.total, <Money value={order.total} />], [words.payment, order.payment.methodText],
      [words.providerShare, order.money?.providerShare && <Money value={order.money.providerShare} />],
      [words.platformShare, order.money?.platformShare && <Money value={order.money.platformShare} />],
      [words.fine, order.fine && <Money value={order.fine} />],
    ]} />
    <Refunds order={order.order} />
    {order.payment.state !== "unpaid" && <Fold title={words.wholeMoney}>{() => <Transfers order={order.order} />}</Fold>}
  </Part>
);
