import type { Wallet } from "api-types";
import type { Component } from "preact";
import { dayAndTime, money } from "../../../shared/format";
import { to } from "../../../shared/router";
import { Badge, Money, Row } from "../../../shared/ui";
import { isolate, reasonOf } from "../../../shared/words";
import { words } from "./words";

const icons: Record<Wallet.StatementLine["kind"], string> = {
  payment: "card", share: "work", commission: "chart", topUp: "plus", fine: "warning", refund: "refresh", deposit: "lock", tip: "heart", cashOut: "bank",
  subscription: "calendar", transfer: "switch", hold: "lock",
};

/** A line of the statement, in words: what, with whom, when, how it stands. */
export const Line: Component<{ line: Wallet.StatementLine }> = ({ line }) => {
  const reason = reasonOf(line.reasonText, line.reason);
  const other = line.amount < 0 ? words.to(isolate(line.beneficiary)) : words.from(isolate(line.payer));
  const parts = [other, dayAndTime(line.at), line.methodText].filter(Boolean).join(" · ");
  return (
    <Row icon={icons[line.kind]} title={<bdi>{line.transaction}</bdi>}
      href={line.order ? to(`o/${line.order}`, line.market) : undefined}
      detail={(
        <>
          {parts}
          {reason && <><br />{reason}</>}
          {line.waiting !== undefined && <><br />{words.part(money({ amount: line.waiting, currency: line.currency }))}</>}
        </>
      )}
      end={(
        <span class="stack tight">
          {line.state === "rejected" ? <s class="muted"><Money value={line} signed /></s> : <strong><Money value={line} signed /></strong>}
          {line.state !== "accepted" && <Badge tone={line.state === "rejected" ? "neutral" : "warning"}>{line.stateText ?? words[`state-${line.state}`]}</Badge>}
        </span>
      )} />
  );
};
