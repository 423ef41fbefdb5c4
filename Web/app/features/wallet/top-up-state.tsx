import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { money } from "../../../shared/format";
import { Asking } from "../../../shared/pay";
import { invalidate, put, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Button, Empty, Loaded, Note, Screen, Skeleton, toast } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

/** What has become of a top-up. */
export const TopUpState: Component<PartProperties> = ({ id, query }) => {
  const topUp = useGet("/wallet/v1/topups/{topUp}", { topUp: id }, ["wallet"]);
  const [isBusy, setBusy] = useState(false);
  const next = query.get("to");
  const suffix = next ? `&to=${encodeURIComponent(next)}` : "";
  const giveBack = async (): Promise<void> => {
    if (!(await ask({ title: words.giveBackAsk, text: words.giveBackText, yes: words.giveBack }))) return;
    setBusy(true);
    try {
      put("/wallet/v1/topups/{topUp}", { topUp: id }, await api.post("/wallet/v1/topups/{topUp}/return", { topUp: id }, {} as never));
      invalidate("wallet");
    } catch (error) {
      toast(textOf(error));
    }
    setBusy(false);
  };
  return (
    <Screen title={words.topUpTitle} back="wallet">
      <Loaded of={topUp} skeleton={<Skeleton kind="card" rows={2} />}>
        {(found) => {
          if (found.state === "waiting") {
            return <Asking id={id} action={found.nextAction} method={found.method} path={`wallet/top-up/${id}?back=yes${suffix}`} isBack={query.has("back")} />;
          }
          if (found.state === "refused") {
            return (
              <Empty icon="warning" title={words.notIn} text={[found.reasonText, words.nothingTaken].filter(Boolean).join(". ")}>
                <Button href={to(`wallet/top-up?amount=${found.amount.amount}${suffix}`)}>{words.tryAgain}</Button>
              </Empty>
            );
          }
          return (
            <>
              <Empty icon="check" title={words.isIn(money(found.amount))}>
                <Button href={to(next ?? "wallet")}>{next ? words.goOn : words.toWallet}</Button>
              </Empty>
              {found.returned ? <Note>{words.givenBack(money(found.returned))}</Note>
                : <Button kind="quiet" busy={isBusy} onTap={() => void giveBack()}>{words.giveBack}</Button>}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
};
