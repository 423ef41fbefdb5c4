import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { latinDigits, minorUnits, number, typedAmount } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Badge, Empty, Loaded, Money } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, ActField, ActValues, Csv, dayFilters, FilterBar, kitWords, optionsOf, Table, useFilters, useMoments } from "../../kit";
import { isPeriod, periodOf, typedPeriod, units } from "./period";
import { words } from "./words";

const tags = ["plans"];

function fieldsOf(plan: Wallet.Plan | undefined, currency: string): ActField[] {
  return [
    { name: "count", label: words.period, kind: "digits", initial: typedPeriod(plan?.period).count, hint: words.periodHint },
    { name: "unit", label: words.unit, kind: "choice", initial: typedPeriod(plan?.period).unit, options: optionsOf(units()) },
    { name: "price", label: `${words.price} (${currency})`, kind: "amount", initial: plan ? typedAmount(plan.price) : "" },
    { name: "nameEn", label: words.nameEn, initial: plan?.names.en ?? "", maximum: 100 }, { name: "nameAr", label: words.nameAr, initial: plan?.names.ar ?? "", maximum: 100 },
    { name: "briefEn", label: words.briefEn, kind: "long", initial: plan?.briefs.en ?? "", maximum: 1000 }, { name: "briefAr", label: words.briefAr, kind: "long", initial: plan?.briefs.ar ?? "", maximum: 1000 },
  ];
}
const bodyOf = (values: ActValues, currency: string) => ({
  period: periodOf(latinDigits(String(values.count)), String(values.unit)), price: minorUnits(String(values.price), currency) ?? 0,
  name: { en: String(values.nameEn), ar: String(values.nameAr) }, brief: { en: String(values.briefEn), ar: String(values.briefAr) },
});
const checkOf = (currency: string) => (values: ActValues) => ({
  count: !isPeriod(latinDigits(String(values.count)), String(values.unit)) && words.badPeriod,
  price: minorUnits(String(values.price), currency) === undefined && kitWords.badAmount,
});
const pointers = { "/period": "count", "/name/en": "nameEn", "/name/ar": "nameAr", "/brief/en": "briefEn", "/brief/ar": "briefAr" };

export const Make: Component = () => {
  const { market } = usePlace();
  const currency = useMarket().market?.currency ?? "SAR";
  return (
    <Act label={words.make} title={words.make} look="primary" tags={tags} fields={fieldsOf(undefined, currency)} check={checkOf(currency)} pointers={pointers}
      send={(values, key) => api.post("/wallet/v1/markets/{market}/subscription-plans", { market }, { ...bodyOf(values, currency), currency }, { key })} />
  );
};

const PlanActs: Component<{ plan: Wallet.Plan }> = ({ plan }) => {
  const { market } = usePlace();
  const { currency } = plan.price;
  if (plan.endedAt) return <Badge>{words.ended}</Badge>;
  return (
    <div class="act-buttons">
      <Act small label={words.change} title={words.change} text={words.changeText} tags={tags} fields={fieldsOf(plan, currency)} check={checkOf(currency)} pointers={pointers}
        send={(values) => api.put("/wallet/v1/markets/{market}/subscription-plans/{plan}", { market, plan: plan.plan }, bodyOf(values, currency))} />
      <Act small label={words.end} title={words.endTitle(isolate(plan.name))} text={words.endText} look="danger" tags={tags}
        send={(_, key) => api.post("/wallet/v1/markets/{market}/subscription-plans/{plan}/end", { market, plan: plan.plan }, undefined, { key })} />
    </div>
  );
};

/** The plans with what they bring. Ended ones stay while somebody has them. */
export const Plans: Component = () => {
  const { market } = usePlace();
  const filters = dayFilters();
  const values = useFilters(filters);
  const parameters = { market, ...useMoments(values) };
  const figures = useGet("/wallet/v1/markets/{market}/subscription-figures", parameters, tags);
  return (
    <>
      <FilterBar filters={filters} values={values}><Csv path="/wallet/v1/markets/{market}/subscription-figures.csv" parameters={parameters} name={`subscriptions-${market}`} /></FilterBar>
      <Loaded of={figures}>
        {({ items }) => items.length === 0 ? <Empty icon="repeat" title={words.none} /> : (
          <Table label={words.plans} items={items} idOf={(one) => one.plan.plan} columns={[
            { id: "plan", label: words.plan, cell: (one) => <><strong><bdi>{one.plan.name}</bdi></strong><br /><span class="muted">{one.plan.brief}</span></> },
            { id: "period", label: words.period, wide: true, cell: (one) => one.plan.periodText },
            { id: "price", label: words.price, end: true, cell: (one) => <Money value={one.plan.price} /> },
            { id: "count", label: words.count, end: true, cell: (one) => number(one.subscribers) },
            { id: "periods", label: words.periods, end: true, wide: true, cell: (one) => number(one.periods) },
            { id: "renewals", label: words.renewals, end: true, wide: true, cell: (one) => number(one.renewals) },
            { id: "profit", label: words.profit, end: true, cell: (one) => <Money value={one.profit} /> },
            { id: "acts", label: "", end: true, cell: (one) => <PlanActs plan={one.plan} /> },
          ]} />
        )}
      </Loaded>
    </>
  );
};
