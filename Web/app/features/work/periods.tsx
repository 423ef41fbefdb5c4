import type { Component } from "preact";
import type { Dispatch } from "api-types";
import { useState } from "preact";
import { dayName, money } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { Empty, List, Loaded, Money, Section, Skeleton, Tabs } from "../../../shared/ui";
import { catalogue, count } from "../../../shared/words";

const words = catalogue({
  title: { en: "By day and week", ar: "حسب اليوم والأسبوع" },
  by: { en: "Period", ar: "الفترة" },
  days: { en: "Days", ar: "الأيام" },
  weeks: { en: "Weeks", ar: "الأسابيع" },
  range: { en: (from: string, to: string) => `${from} to ${to}`, ar: (from: string, to: string) => `من ${from} إلى ${to}` },
  orders: {
    en: (n: number) => count.en(n, { one: "# order", other: "# orders" }),
    ar: (n: number) => count.ar(n, { zero: "لا طلبات", one: "طلب واحد", two: "طلبان", few: "# طلبات", many: "# طلبًا", other: "# طلب" }),
  },
  tips: { en: (amount: string) => `tips ${amount}`, ar: (amount: string) => `إكراميات ${amount}` },
  returned: { en: (amount: string) => `given back ${amount}`, ar: (amount: string) => `مُعاد ${amount}` },
  noneDays: { en: "Nothing was earned in the last 30 days", ar: "لا أرباح في آخر 30 يومًا" },
  noneWeeks: { en: "Nothing was earned in the last twelve weeks", ar: "لا أرباح في آخر اثني عشر أسبوعًا" },
  since: { en: (day: string) => `Days are known apart since ${day}`, ar: (day: string) => `تفاصيل الأيام متوفرة منذ ${day}` },
});

type Sum = Dispatch.EarningSum;

/** Sums in one currency each: pay and tips together. */
function byCurrency(sums: Sum[]): { orders: number; amount: number; tips: number; returned: number; currency: string }[] {
  const found = new Map<string, { orders: number; amount: number; tips: number; returned: number; currency: string }>();
  for (const one of sums) {
    const { currency } = one.amount;
    const old = found.get(currency) ?? { orders: 0, amount: 0, tips: 0, returned: 0, currency };
    found.set(currency, {
      currency, orders: old.orders + one.orders, tips: old.tips + one.tips.amount, returned: old.returned + one.returned.amount,
      amount: old.amount + one.amount.amount + one.tips.amount,
    });
  }
  return [...found.values()];
}

export const detailOf = (sum: { orders: number; tips: number; returned: number; currency: string }): string => [
  words.orders(sum.orders), sum.tips > 0 && words.tips(money({ amount: sum.tips, currency: sum.currency })),
  sum.returned > 0 && words.returned(money({ amount: sum.returned, currency: sum.currency })),
].filter(Boolean).join(" · ");

/** What was earned in each day of the last month, or each week of the last twelve. */
export const Periods: Component = () => {
  const { id: market } = useMarket();
  const [by, setBy] = useState<"day" | "week">("day");
  const found = useGet("/dispatch/v1/markets/{market}/earnings", { market, by }, ["orders", "wallet"]);
  return (
    <Section title={words.title}>
      <Tabs label={words.by} value={by} onChoose={(next) => setBy(next as typeof by)} items={[{ id: "day", label: words.days }, { id: "week", label: words.weeks }]} />
      <Loaded of={found} skeleton={<Skeleton rows={3} />}>
        {({ periods = [], since }) => (
          <>
            {periods.length === 0 ? <Empty icon="chart" title={by === "day" ? words.noneDays : words.noneWeeks} /> : (
              <List label={words.title}>
                {periods.flatMap((period) => byCurrency(period.items).map((sum) => (
                  <li key={`${period.from} ${sum.currency}`} class="row">
                    <span class="row-text">
                      <span class="row-title">{by === "day" ? dayName(period.from) : words.range(dayName(period.from), dayName(period.to))}</span>
                      <span class="row-detail">{detailOf(sum)}</span>
                    </span>
                    <span class="row-end"><b><Money value={sum} /></b></span>
                  </li>
                )))}
              </List>
            )}
            {since && periods.length > 0 && <p class="hint">{words.since(dayName(since))}</p>}
          </>
        )}
      </Loaded>
    </Section>
  );
};
