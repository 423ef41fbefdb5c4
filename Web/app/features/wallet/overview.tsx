import type { Wallet } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { date, day, money } from "../../../shared/format";
import { useMarket, useMode } from "../../../shared/market";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Button, Empty, List, Loaded, Money, Note, Row, Screen, Section, Skeleton, toast } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { Line } from "./line";
import { words } from "./words";

const nothing = (currency: string): Wallet.Wallet =>
  ({ currency, balance: 0, available: 0, held: 0, waiting: 0, availableForCashOut: 0, availableLater: [], isFrozen: false });

/** Gives up what nobody has paid yet: it stands in the way of whoever would like to delete the account. */
const GiveUp: Component<{ wallet: Wallet.Wallet }> = ({ wallet }) => {
  const [isBusy, setBusy] = useState(false);
  const amount = { amount: wallet.waiting, currency: wallet.currency };
  const giveUp = async (): Promise<void> => {
    if (!(await ask({ title: words.giveUpAsk(money(amount)), text: words.giveUpText, yes: words.giveUp, danger: true }))) return;
    setBusy(true);
    try {
      await api.post("/wallet/v1/waiting-money/waiver", {}, amount);
      toast(words.gaveUp);
    } catch (error) {
      toast(textOf(error));
    }
    invalidate("wallet");
    setBusy(false);
  };
  return <Button kind="quiet" small busy={isBusy} onTap={() => void giveUp()}>{words.giveUp}</Button>;
};

const Balance: Component<{ wallet: Wallet.Wallet }> = ({ wallet }) => {
  const { currency } = wallet;
  const of = (amount: number) => ({ amount, currency });
  return (
    <div class="card">
      <p class="muted">{words.balance}</p>
      <p class="display"><Money value={of(wallet.balance)} /></p>
      <dl class="facts">
        {wallet.held > 0 && <><dt>{words.held}</dt><dd><Money value={of(wallet.held)} /></dd></>}
        {wallet.waiting > 0 && <><dt>{words.waiting}<br /><span class="small">{words.waitingText}</span></dt><dd><Money value={of(wallet.waiting)} /></dd></>}
        {wallet.balance > 0 && <><dt>{words.canCashOut}</dt><dd><Money value={of(wallet.availableForCashOut)} /></dd></>}
      </dl>
      {wallet.waiting > 0 && <GiveUp wallet={wallet} />}
      {wallet.availableLater.length > 0 && (
        <p class="hint">{wallet.availableLater.map((part) => words.later(money(of(part.amount)), day(part.at))).join(" · ")}. {words.laterText}</p>
      )}
    </div>
  );
};

export const Overview: Component<PartProperties> = () => {
  const { id, market } = useMarket();
  const isWorking = useMode() !== "customer";
  const wallets = useGet("/wallet/v1/wallets", {}, ["wallet"]);
  const fines = useGet("/wallet/v1/fines", { limit: 20 }, ["wallet"]).value;
  const open = fines?.items.filter((one) => one.state === "unpaid").sort((one, other) => one.dueAt.localeCompare(other.dueAt))[0];
  const lines = useGet("/wallet/v1/statement", { sort: "desc", limit: 5 }, ["wallet"]);
  return (
    <Screen title={words.title}>
      {open && <Note tone={open.isOverdue ? "danger" : "warning"}>{words.openFines(fines?.owed.map((one) => money(one)).join(" · ") ?? "", date(open.dueAt))} <a href={to("wallet/fines")}>{words.seeFines}</a></Note>}
      <Loaded of={wallets} skeleton={<Skeleton kind="card" rows={2} />}>
        {(found) => {
          const currency = market?.currency ?? found.items[0]?.currency;
          const own = found.items.find((one) => one.currency === currency) ?? (currency ? nothing(currency) : undefined);
          const all = [...(own ? [own] : []), ...found.items.filter((one) => one !== own)];
          return (
            <>
              {all.map((wallet) => (
                <div key={wallet.currency} class="stack tight">
                  {wallet.balance < 0 && <Note tone="danger">{words.owed(money({ amount: -wallet.balance, currency: wallet.currency }))}</Note>}
                  {wallet.isFrozen && <Note tone="warning">{words.frozen}</Note>}
                  <Balance wallet={wallet} />
                </div>
              ))}
              <div class="actions in-row">
                <Button icon="plus" href={to("wallet/top-up")}>{words.topUp}</Button>
                <Button kind="second" icon="bank" href={to("wallet/cash-out")}>{words.cashOut}</Button>
              </div>
            </>
          );
        }}
      </Loaded>
      <List>
        <Row icon="card" title={words.cards} href={to("wallet/cards")} />
        <Row icon="bank" title={words.banks} href={to("wallet/banks")} />
        <Row icon="clock" title={words.cashOuts} href={to("wallet/cash-outs")} />
        {fines && fines.items.length > 0 && <Row icon="warning" title={words.fines} href={to("wallet/fines")} />}
        {isWorking && id === "assef" && <Row icon="calendar" title={words.subscription} href={to("subscription")} />}
      </List>
      <Section title={words.latest}>
        <Loaded of={lines}>
          {(found) => (found.items.length === 0 ? <Empty icon="wallet" title={words.noLines} text={words.noLinesText} /> : (
            <>
              <List>{found.items.map((line) => <Line key={line.id} line={line} />)}</List>
              <Button kind="quiet" href={to("wallet/statement")}>{words.allLines}</Button>
            </>
          ))}
        </Loaded>
      </Section>
    </Screen>
  );
};
