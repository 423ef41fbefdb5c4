import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { day, minorUnits, money, typedAmount } from "../../../shared/format";
import { CheckField, ChoiceField, Form, FormState, Submit, TextField, useForm } from "../../../shared/forms";
import { useMarket } from "../../../shared/market";
import { CardName, expiryOf, isExpired, payWords } from "../../../shared/pay";
import { invalidate, useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { Button, Empty, Note, Screen, Skeleton, uiWords } from "../../../shared/ui";
import { nameOfBank, useBanks } from "./banks";
import { BankFields, bankNumber, bankPart, BankValues, checkBank, emptyBank } from "./bank-fields";
import type { PartProperties } from "./index";
import { words } from "./words";

type CashOutValues = BankValues & { amount: string; where: string; save: boolean };

const TheForm: Component<{ market: string; wallet: Wallet.Wallet; banks: Wallet.BankAccount[]; cards: Wallet.Card[] }> = ({ market, wallet, banks, cards }) => {
  const { currency } = wallet;
  const most = { amount: wallet.availableForCashOut, currency };
  const amountOf = (values: CashOutValues): number => minorUnits(values.amount, currency) ?? 0;
  const form: FormState<CashOutValues> = useForm<CashOutValues, Wallet.CashOut>({
    initial: { ...emptyBank(currency), amount: "", where: banks.length ? `bank:${banks[0].bankAccount}` : "new", save: true },
    check: (values) => ({
      ...(values.where === "new" ? checkBank(values) : {}),
      amount: (amountOf(values) < 1 || amountOf(values) > most.amount) && words.badCashOut(money(most)),
    }),
    send: (values, key) => {
      const id = values.where.slice(5);
      const where = values.where.startsWith("bank:") ? { bankAccount: id } : values.where.startsWith("card:") ? { card: id }
        : { ...bankNumber(values), holder: values.holder.trim(), bankName: values.bankName.trim(), save: values.save };
      return api.post("/wallet/v1/cash-outs", {}, { market, currency, amount: amountOf(values), ...where }, { key });
    },
    done: (answer) => {
      invalidate("wallet", "banks");
      go(`wallet/cash-outs/${answer.cashOut}`, { replace: true });
    },
    refused: () => invalidate("wallet"),
  });
  const amount = amountOf(form.values);
  const options = [
    ...banks.map((bank) => ({ value: `bank:${bank.bankAccount}`, icon: "bank", label: nameOfBank(bank), detail: bank.holder })),
    ...cards.filter((card) => !isExpired(card.expiryMonth, card.expiryYear)).map((card) => ({ value: `card:${card.card}`, icon: "card", label: <CardName card={card} />, detail: payWords.expires(expiryOf(card)) })),
    { value: "new", icon: "plus", label: words.newBank },
  ];
  return (
    <Screen title={words.cashOutTitle} back="wallet" footer={<Submit form={form}>{amount ? words.cashOutNow(money({ amount, currency })) : words.cashOut}</Submit>}>
      <Form form={form} label={words.cashOutTitle}>
        <TextField form={form} name="amount" kind="amount" label={words.amount(currency)} hint={<>{words.canCashOut}: <bdi>{money(most)}</bdi></>} />
        <Button kind="quiet" small onTap={() => form.set("amount", typedAmount(most))}>{words.everything}</Button>
        <ChoiceField form={form} name="where" label={words.whereTo} options={options} />
        {form.values.where === "new" && (
          <>
            <BankFields form={bankPart(form)} currency={currency} />
            <CheckField form={form} name="save" label={words.keepBank} />
          </>
        )}
        <p class="hint">{words.cashOutText}</p>
      </Form>
    </Screen>
  );
};

/** Takes money out of the wallet: how much, and where to. */
export const CashOutForm: Component<PartProperties> = () => {
  const { id, market } = useMarket();
  const wallets = useGet("/wallet/v1/wallets", {}, ["wallet"]);
  const cards = useGet("/wallet/v1/cards", {}, ["cards"]);
  const banks = useBanks();
  const error = wallets.error ?? cards.error ?? banks.error;
  const isHere = market && wallets.value && cards.value && banks.value;
  // The market's currency, else a former one in which there is money.
  const wallet = wallets.value?.items.find((one) => one.currency === market?.currency && one.availableForCashOut > 0)
    ?? wallets.value?.items.find((one) => one.availableForCashOut > 0);
  if (isHere && wallet) return <TheForm market={id} wallet={wallet} banks={banks.value?.items ?? []} cards={cards.value?.items ?? []} />;
  const later = wallets.value?.items.flatMap((one) => one.availableLater.map((part) => ({ ...part, currency: one.currency }))) ?? [];
  return (
    <Screen title={words.cashOutTitle} back="wallet">
      {isHere ? (
        <>
          <Empty icon="bank" title={words.nothingToCashOut}><Button kind="second" href={to("wallet")}>{words.toWallet}</Button></Empty>
          {wallets.value?.items.some((one) => one.isFrozen) && <Note tone="warning">{words.frozen}</Note>}
          {later.length > 0 && <Note>{later.map((part) => words.later(money(part), day(part.at))).join(" · ")}. {words.laterText}</Note>}
        </>
      ) : error ? (
        <Empty icon="offline" title={textOf(error)}>
          <Button kind="second" onTap={() => { void wallets.reload(); void cards.reload(); void banks.reload(); }}>{uiWords.retry}</Button>
        </Empty>
      ) : <Skeleton kind="card" rows={3} />}
    </Screen>
  );
};
