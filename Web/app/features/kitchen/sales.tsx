import type { Component } from "preact";
import { useState } from "preact";
import { dayKey, dayName, number } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { Card, Empty, Loaded, Money, Screen, Section, Skeleton, Tabs } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { words } from "./words";

const periods = [7, 30, 92];

/** What was sold, by day and dish. */
const Sales: Component<ScreenProperties> = () => {
  const { id: market } = useMarket();
  const [period, setPeriod] = useState(7);
  const now = Date.now();
  const sales = useGet("/dispatch/v1/markets/{market}/restaurant/sales", { market, from: dayKey(now - (period - 1) * 86_400_000), to: dayKey(now) }, ["orders"]);
  return (
    <Screen title={words.sales}>
      <Tabs label={words.period} value={String(period)} onChoose={(id) => setPeriod(Number(id))} items={periods.map((one) => ({ id: String(one), label: words.days(one) }))} />
      <Loaded of={sales} skeleton={<Skeleton kind="card" rows={3} />}>
        {(found) => {
          const money = (amount: number): JSX.Element => <Money value={{ amount, currency: found.currency }} />;
          return (
            <>
              <Card tone="accent">
                <span class="muted">{words.sold}</span>
                <p class="amount">{money(found.amount)}</p>
                <p class="muted small">{words.pieces(found.count)}{found.returned > 0 && <> · {words.returned} {money(found.returned)}</>}</p>
                <p class="muted small">{words.soldText}</p>
              </Card>
              {found.days.length === 0 && <Empty icon="chart" title={words.noSales} text={words.noSalesText} />}
              {found.days.map((one) => (
                <Section key={one.day} title={dayName(one.day)} end={<b>{money(one.amount)}</b>}>
                  <table class="sums">
                    <thead><tr><th scope="col">{words.item}</th><th scope="col">{words.pieces_}</th><th scope="col">{words.amount}</th></tr></thead>
                    <tbody>
                      {one.items.map((item) => <tr key={item.item}><td><bdi>{item.name}</bdi></td><td>{number(item.count)}</td><td>{money(item.amount)}</td></tr>)}
                      {one.returned > 0 && <tr><td>{words.returned}</td><td /><td>{money(-one.returned)}</td></tr>}
                    </tbody>
                  </table>
                </Section>
              ))}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
};

export default Sales;
