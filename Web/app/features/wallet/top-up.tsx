import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { minorUnits, Money as Amount, money, typedAmount } from "../../../shared/format";
import { Form, FormState, Submit, TextField, useForm } from "../../../shared/forms";
import { useMarket } from "../../../shared/market";
import { begun, newCardPointers, checkWay, firstValues, instrument, PayValues, payPart, useWays, WayFields, Ways } from "../../../shared/pay";
import { invalidate } from "../../../shared/resources";
import { go } from "../../../shared/router";
import { Button, Empty, Screen, Skeleton, uiWords } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

const least = 100;
type TopUpValues = PayValues & { amount: string };

const TheForm: Component<{ market: string; currency: string; ways: Ways; query: URLSearchParams }> = ({ market, currency, ways, query }) => {
  const asked = Number(query.get("amount"));
  const start: Amount = { amount: Math.max(asked || 0, least), currency };
  const priceOf = (values: TopUpValues): Amount => ({ amount: minorUnits(values.amount, currency) ?? 0, currency });
  const form: FormState<TopUpValues> = useForm<TopUpValues, Wallet.TopUp>({
    initial: { ...firstValues(ways, start), amount: asked ? typedAmount(start) : "" },
    pointers: newCardPointers,
    check: (values) => ({ ...checkWay(values), amount: priceOf(values).amount < least && words.badAmount(money({ amount: least, currency })) }),
    send: async (values, key) =>
      api.post("/wallet/v1/topups", {}, { market, amount: priceOf(values).amount, ...(await instrument(payPart(form), values, key, priceOf(values))) } as never, { key }),
    done: (answer) => {
      if (answer.state === "waiting") begun.add(answer.topUp);
      invalidate("wallet");
      const to = query.get("to");
      go(`wallet/top-up/${answer.topUp}${to ? `?to=${encodeURIComponent(to)}` : ""}`, { replace: true });
    },
  });
  const price = priceOf(form.values);
  return (
    <Screen title={words.topUpTitle} back="wallet" footer={<Submit form={form}>{price.amount >= least ? words.topUpNow(money(price)) : words.topUp}</Submit>}>
      <Form form={form} label={words.topUpTitle}>
        <TextField form={form} name="amount" kind="amount" label={words.amount(currency)} hint={words.topUpText} />
        <WayFields form={payPart(form)} ways={ways} price={price} />
      </Form>
    </Screen>
  );
};

/** Puts money into the wallet: how much, and from where. `?to` is where one goes on afterwards. */
export const TopUpForm: Component<PartProperties> = ({ query }) => {
  const { id, market } = useMarket();
  const methods = market?.settings.paymentMethods?.filter((method) => method !== "wallet" && method !== "cash");
  const ways = useWays(methods, market && { amount: 100, currency: market.currency });
  if (market && !ways.isLoading && ways.methods.length > 0) return <TheForm market={id} currency={market.currency} ways={ways} query={query} />;
  return (
    <Screen title={words.topUpTitle} back="wallet">
      {ways.error && ways.isLoading ? <Empty icon="offline" title={textOf(ways.error)}><Button kind="second" onTap={() => void ways.reload()}>{uiWords.retry}</Button></Empty>
        : ways.isLoading ? <Skeleton kind="card" rows={3} /> : <Empty icon="wallet" title={words.noTopUp} />}
    </Screen>
  );
};
