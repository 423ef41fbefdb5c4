import type { Wallet } from "api-types";
import type { Component } from "preact";
import { dayKey, dayName, money, time } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { More, usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Card, Empty, List, Loaded, Money, Row, Screen, Section, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Periods } from "../work/periods";
import { earns } from "./earned";
import { words } from "./words";

const icons: Record<string, string> = { ride: "car", food: "food", bikeDropOff: "bike" };

/** What a driver has earned: in all, by kind, and each trip by day. */
const Earnings: Component<ScreenProperties> = () => {
  const { id, market } = useMarket();
  const currency = market?.currency;
  const sums = useGet("/dispatch/v1/markets/{market}/earnings", { market: id }, ["wallet", "orders"]);
  const pages = usePages("/wallet/v1/statement", currency ? { currency, sort: "desc", limit: 100 } : null, ["wallet"], (line) => line.id);
  const days = new Map<string, Wallet.StatementLine[]>();
  for (const line of pages.items ?? []) {
    if (earns(line, id)) days.set(dayKey(line.at), [...(days.get(dayKey(line.at)) ?? []), line]);
  }
  return (
    <Screen title={words.earnings}>
      <Loaded of={sums} skeleton={<Skeleton kind="card" rows={2} />}>
        {(found) => {
          const unit = found.items[0]?.amount.currency ?? currency ?? "AUD";
          const total = found.items.reduce((sum, one) => sum + one.amount.amount, 0);
          return (
            <>
              <Card tone="accent">
                <span class="muted">{words.all}</span>
                <p class="amount"><Money value={{ amount: total, currency: unit }} /></p>
                <p class="muted small">{words.allText}</p>
              </Card>
              {found.items.length > 0 && (
                <Section title={words.byKind}>
                  <List>
                    {found.items.map((one) => (
                      <Row key={one.kind} icon={icons[one.kind] ?? "orders"} title={one.kindName}
                        detail={[words.trips(one.orders), one.tips.amount > 0 && words.tips(money(one.tips)), one.returned.amount > 0 && words.returned(money(one.returned))].filter(Boolean).join(" · ")}
                        end={<b><Money value={one.amount} /></b>} />
                    ))}
                  </List>
                </Section>
              )}
            </>
          );
        }}
      </Loaded>
      <Periods />
      <Loaded of={pages.first} skeleton={<Skeleton rows={4} />}>
        {() => days.size === 0 && !pages.hasMore ? <Empty icon="chart" title={words.noEarnings} text={words.noEarningsText} /> : (
          <>
            {[...days].map(([key, lines]) => (
              <Section key={key} title={dayName(key)} end={<b>{money({ amount: lines.reduce((sum, line) => sum + line.amount, 0), currency: lines[0].currency })}</b>}>
                <List>
                  {lines.map((line) => (
                    <Row key={line.id} icon={line.kind === "tip" ? "gift" : line.kind === "fine" ? "warning" : "car"} title={line.kind === "tip" ? words.tip : line.kind === "fine" ? words.fine : words.pay}
                      detail={<><time dateTime={line.at}>{time(line.at)}</time> · <Money value={line} signed /></>} href={line.order ? to(`o/${line.order}`) : undefined} />
                  ))}
                </List>
              </Section>
            ))}
            <More of={pages}>{words.more}</More>
          </>
        )}
      </Loaded>
      <List><Row icon="wallet" title={words.toWallet} href={to("wallet")} /></List>
    </Screen>
  );
};

export default Earnings;
