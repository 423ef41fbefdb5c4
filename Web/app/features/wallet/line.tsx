import type { Wallet } from "api-types";
import type { Component } from "preact";
import { dayAndTime, money } from "../../../shared/format";
import { payWords, reasonText } from "../../../shared/pay";
import { to } from "../../../shared/router";
import { Badge, Money, Row } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { words } from "./words";

const icons: Record<Wallet.StatementLine["kind"], string> = {
  payment: "card", share: "work", commission: "chart", topUp: "plus", fine: "warning", refund: "refresh", deposit: "lock", tip: "heart", cashOut: "bank",
  subscription: "calendar", transfer: "switch", hold: "lock",
};

const way = (method: Wallet.StatementLine["method"]): string | undefined =>
  ({ card: payWords.firstCard, wallet: payWords.wallet, cash: payWords.cash, applePay: payWords.applePay, googlePay: payWords.googlePay, payPal: payWords.payPal, deskCash: payWords.cash })[method ?? "wallet"];

/** A line of the statement, in words: what, with whom, when, how it stands. */
export const Line: Component<{ line: Wallet.StatementLine }> = ({ line }) => {
  const other = line.amount < 0 ? words.to(isolate(line.beneficiary)) : words.from(isolate(line.payer));
  const parts = [other, dayAndTime(line.at), line.method && way(line.method)].filter(Boolean).join(" · ");
  return (
    <Row icon={icons[line.kind]} title={<bdi>{line.transaction}</bdi>}
      href={line.order ? to(`o/${line.order}`, line.market) : undefined}
      detail={(
        <>
          {parts}
          {line.reason && <><br />{reasonText(line.reason)}</>}
          {line.waiting !== undefined && <><br />{words.part(money({ amount: line.waiting, currency: line.currency }))}</>}
        </>
      )}
      end={(
        <span class="stack tight">
          {line.state === "rejected" ? <s class="muted"><Money value={line} signed /></s> : <strong><Money value={line} signed /></strong>}
          {line.state !== "accepted" && <Badge tone={line.state === "rejected" ? "neutral" : "warning"}>{words[`state-${line.state}`]}</Badge>}
        </span>
      )} />
  );
};
