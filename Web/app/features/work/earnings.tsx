import type { Component } from "preact";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Card, List, Loaded, Money, Row, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Periods } from "./periods";
import { words } from "./words";

/** What somebody who visits people has earned: in all, by day and by week. */
const Earnings: Component<ScreenProperties> = () => {
  const { id, market } = useMarket();
  const sums = useGet("/dispatch/v1/markets/{market}/earnings", { market: id }, ["wallet", "orders"]);
  return (
    <Screen title={words.earnings} back="work">
      <Loaded of={sums} skeleton={<Skeleton kind="card" rows={1} />}>
        {(found) => {
          const currency = found.items[0]?.amount.currency ?? market?.currency ?? "SAR";
          return (
            <Card tone="accent">
              <span class="muted">{words.earnedInAll}</span>
              <p class="amount"><Money value={{ amount: found.items.filter((one) => one.amount.currency === currency).reduce((sum, one) => sum + one.amount.amount + one.tips.amount, 0), currency }} /></p>
              <p class="muted small">{words.earnedText}</p>
            </Card>
          );
        }}
      </Loaded>
      <Periods />
      <List><Row icon="wallet" title={words.toWallet} href={to("wallet")} /></List>
    </Screen>
  );
};

export default Earnings;
