import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { money, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Money, Note } from "../../../shared/ui";
import { reasonOf } from "../../../shared/words";
import { Act, Code, Detail, Facts, kitWords, Part, reasonField, When, Who } from "../../kit";
import { words } from "./words";

export const stateTone = (state: string): "good" | "warning" | "danger" | "neutral" =>
  state === "paid" ? "good" : state === "waiting" || state === "paying" ? "warning" : state === "failed" ? "danger" : "neutral";

const Decide: Component<{ cashOut: Wallet.MarketCashOut }> = ({ cashOut }) => {
  const { market } = usePlace();
  const tags = ["cashouts", "approvals", `cashout:${cashOut.cashOut}`];
  const send = (body: Wallet.CashOutDecision, key: string): Promise<Wallet.MarketCashOut> =>
    api.post("/wallet/v1/markets/{market}/cash-outs/{cashOut}/decision", { market, cashOut: cashOut.cashOut }, body, { key });
  return (
    <>
      <Act label={words.accept} title={words.acceptTitle(money(cashOut.amount), cashOut.destination.lastFour)} text={words.acceptText} look="primary" tags={tags}
        send={(_, key) => send({ accept: true }, key)} told={(answer: Wallet.MarketCashOut) => (answer.state === "waiting" ? kitWords.waitsForSecond : undefined)} />
      <Act label={words.reject} title={words.rejectTitle(money(cashOut.amount))} text={words.rejectText} look="danger" tags={tags} fields={[reasonField()]}
        send={(values, key) => send({ accept: false, reason: String(values.reason) }, key)} />
    </>
  );
};

const Sources: Component<{ of: Wallet.MoneySources; currency: string }> = ({ of, currency }) => {
  const sum = (amount: number): JSX.Element | false => amount !== 0 && <Money value={{ amount, currency }} />;
  return (
    <Part title={words.sources}>
      <Facts of={[
        [words.since, <When at={of.since} />], [words.cards, sum(of.cards)], [words.earnings, sum(of.earnings)], [words.earningsFromCards, sum(of.earningsFromCards)],
        [words.cardPayers, of.cardPayers > 0 && number(of.cardPayers)], [words.refunds, sum(of.refunds)], [words.other, sum(of.other)], [words.spent, sum(of.spent)], [words.held, sum(of.cardMoneyHeld)],
      ]} />
    </Part>
  );
};

/** One cash-out with where its money comes from, and the decision. */
export const CashOut: Component<{ cashOut: string }> = ({ cashOut: id }) => {
  const { market } = usePlace();
  const found = useGet("/wallet/v1/markets/{market}/cash-outs/{cashOut}", { market, cashOut: id }, [`cashout:${id}`]);
  return (
    <Detail title={found.value ? <>{words.cashout} <Money value={found.value.amount} /></> : words.cashout} back="cashouts" of={found}
      acts={(cashOut) => cashOut.state === "waiting" && <Decide cashOut={cashOut} />}>
      {(cashOut) => (
        <>
          {cashOut.isFrozen && <Note tone="danger">{words.frozen}</Note>}
          {cashOut.acceptedFirstBy && cashOut.state === "waiting" && <Note tone="warning"><strong>{words.first}</strong> <Who account={cashOut.acceptedFirstBy} /><p>{words.firstText}</p></Note>}
          <Facts of={[
            [words.state, <Badge tone={stateTone(cashOut.state)}>{cashOut.stateText ?? cashOut.state}</Badge>], [words.who, <Who account={cashOut.account} />],
            [words.bank, <bdi>{[cashOut.destination.bankName, cashOut.destination.country, `…${cashOut.destination.lastFour}`].filter(Boolean).join(" ")}</bdi>],
            [words.holder, <bdi>{cashOut.destination.holder}</bdi>], [words.reason, reasonOf(cashOut.reasonText, cashOut.reason)],
            [words.at, <When at={cashOut.requestedAt} exact />], [words.decided, cashOut.decidedAt && <When at={cashOut.decidedAt} exact />],
            [words.by, cashOut.decidedBy && <Who account={cashOut.decidedBy} />], [words.cashout, <Code value={cashOut.cashOut} />],
          ]} />
          {cashOut.sources && <Sources of={cashOut.sources} currency={cashOut.amount.currency} />}
        </>
      )}
    </Detail>
  );
};
