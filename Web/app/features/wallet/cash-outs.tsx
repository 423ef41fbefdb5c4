import type { Wallet } from "api-types";
import type { Component } from "preact";
import { dayAndTime } from "../../../shared/format";
import { More, usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Badge, Button, Empty, List, Loaded, Money, Note, Row, Screen } from "../../../shared/ui";
import { isolate, reasonOf } from "../../../shared/words";
import { nameOfBank } from "./banks";
import type { PartProperties } from "./index";
import { words } from "./words";

const tone = (state: Wallet.CashOut["state"]): "good" | "warning" | "danger" => (state === "paid" ? "good" : state === "failed" || state === "rejected" ? "danger" : "warning");
const nameOf = (to: Wallet.CashOut["destination"]): string => (to.kind === "card" ? words.toCard(isolate(to.lastFour)) : nameOfBank(to));

/** All that was asked for. The API tells the oldest first; here the newest stands on top. */
export const CashOuts: Component<PartProperties> = () => {
  const pages = usePages("/wallet/v1/cash-outs", { limit: 100 }, ["wallet"], (one) => one.cashOut);
  return (
    <Screen title={words.cashOuts} back="wallet">
      <Loaded of={pages.first}>
        {() => (!pages.items?.length ? (
          <Empty icon="bank" title={words.noCashOuts}><Button kind="second" href={to("wallet/cash-out")}>{words.cashOut}</Button></Empty>
        ) : (
          <>
            <More of={pages} />
            <List>
              {[...pages.items].reverse().map((one) => (
                <Row key={one.cashOut} icon={one.destination.kind === "card" ? "card" : "bank"} title={nameOf(one.destination)} href={to(`wallet/cash-outs/${one.cashOut}`)}
                  detail={dayAndTime(one.requestedAt)}
                  end={<span class="stack tight"><strong><Money value={one.amount} /></strong><Badge tone={tone(one.state)}>{words[`cash-${one.state}`]}</Badge></span>} />
              ))}
            </List>
          </>
        ))}
      </Loaded>
    </Screen>
  );
};

/** One cash-out, and how it stands. */
export const CashOut: Component<PartProperties> = ({ id }) => {
  const cashOut = useGet("/wallet/v1/cash-outs/{cashOut}", { cashOut: id }, ["wallet"]);
  return (
    <Screen title={words.cashOutTitle} back="wallet/cash-outs">
      <Loaded of={cashOut}>
        {(found) => (
          <>
            <div>
              <p class="display"><Money value={found.amount} /></p>
              <p role="status"><strong>{words[`cash-${found.state}`]}</strong></p>
            </div>
            {reasonOf(found.reasonText, found.reason) && <Note tone="warning"><bdi>{reasonOf(found.reasonText, found.reason)}</bdi></Note>}
            {found.state === "rejected" && <p>{words.isBack}</p>}
            {found.state === "waiting" && <p class="muted">{words.cashOutText}</p>}
            <div class="card">
              <dl class="facts">
                <dt>{words.destination}</dt><dd>{nameOf(found.destination)}<br /><bdi class="muted">{found.destination.holder}</bdi></dd>
                <dt>{words.asked}</dt><dd>{dayAndTime(found.requestedAt)}</dd>
                {found.decidedAt && <><dt>{words.decided}</dt><dd>{dayAndTime(found.decidedAt)}</dd></>}
              </dl>
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  );
};
