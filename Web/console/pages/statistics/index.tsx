import type { Admin, Wallet } from "api-types";
import type { Component } from "preact";
import { dayName, digitsOf, money, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Loaded, Money } from "../../../shared/ui";
import { choiceFilter, Column, Csv, dayFilters, Figure, Filter, FilterBar, Page, Part, Table, useFilters, useMoments } from "../../kit";
import { ChartView } from "../../kit/chart";
import { orderStates, stateName } from "../../states";
import { By, grouped, mean, stars, sum } from "./periods";
import { words } from "./words";

type Day = Admin.Statistics["days"][number];
type Period<T> = { period: string; days: T[] };

const first = <T,>(): Column<Period<T>> => ({ id: "period", label: words.since, cell: (one) => dayName(one.period) });
const names = <T,>(periods: Period<T>[]): string[] => periods.map((one) => dayName(one.period));

const Orders: Component<{ periods: Period<Day>[] }> = ({ periods }) => {
  const known = orderStates.filter((state) => periods.some((one) => sum(one.days, (day) => day.orders[state] ?? 0) > 0));
  const of = (one: Period<Day>, state: string): number => sum(one.days, (day) => day.orders[state] ?? 0);
  return (
    <Part title={words.orders}>
      {known.length === 0 ? <p class="muted">{words.none}</p> : (
        <>
          <ChartView label={words.orders} stacked days={names(periods)} series={known.map((state) => ({ name: stateName(state), values: periods.map((one) => of(one, state)) }))} />
          <Table label={words.orders} items={periods} idOf={(one) => one.period} columns={[first<Day>(), ...known.map((state): Column<Period<Day>> => ({ id: state, label: stateName(state), end: true, cell: (one) => number(of(one, state)) }))]} />
        </>
      )}
    </Part>
  );
};

const minutes = (seconds: number | undefined): string => (seconds === undefined ? "–" : `${number(seconds / 60, 1)}`);

const Times: Component<{ periods: Period<Day>[] }> = ({ periods }) => {
  const acceptance = (one: Period<Day>): number | undefined => mean(one.days, (day) => day.meanAcceptanceSeconds, (day) => day.accepted);
  const completion = (one: Period<Day>): number | undefined => mean(one.days, (day) => day.meanCompletionSeconds, (day) => day.completed);
  const inMinutes = (value: number | undefined): number | null => (value === undefined ? null : value / 60);
  return (
    <Part title={`${words.times} (${words.minutes})`}>
      <ChartView label={words.times} kind="line" days={names(periods)} format={(value) => number(value, 1)} series={[{ name: words.acceptance, values: periods.map((one) => inMinutes(acceptance(one))) }, { name: words.completion, values: periods.map((one) => inMinutes(completion(one))) }]} />
      <Table label={words.times} items={periods} idOf={(one) => one.period} columns={[
        first<Day>(), { id: "accepted", label: words.accepted, end: true, cell: (one) => number(sum(one.days, (day) => day.accepted)) },
        { id: "acceptance", label: words.acceptance, end: true, cell: (one) => minutes(acceptance(one)) }, { id: "completion", label: words.completion, end: true, cell: (one) => minutes(completion(one)) },
      ]} />
    </Part>
  );
};

const Ratings: Component<{ periods: Period<Day>[] }> = ({ periods }) => {
  const kinds = [["starsByCustomers", words.byCustomers], ["starsByProviders", words.byProviders], ["starsByMerchants", words.byMerchants]] as const;
  const known = kinds.filter(([kind]) => periods.some((one) => stars(one.days, kind) !== undefined));
  return (
    <Part title={words.ratings}>
      {known.length === 0 ? <p class="muted">{words.none}</p> : (
        <>
          <ChartView label={words.ratings} kind="line" days={names(periods)} format={(value) => number(value, 1)} series={known.map(([kind, name]) => ({ name, values: periods.map((one) => stars(one.days, kind) ?? null) }))} />
          <Table label={words.ratings} items={periods} idOf={(one) => one.period} columns={[first<Day>(), ...known.map(([kind, name]): Column<Period<Day>> => ({ id: kind, label: name, end: true, cell: (one) => { const value = stars(one.days, kind); return value === undefined ? "–" : number(value, 2); } }))]} />
        </>
      )}
    </Part>
  );
};

const Registered: Component<{ periods: Period<Day>[] }> = ({ periods }) => {
  const of = (one: Period<Day>): number => sum(one.days, (day) => day.registered);
  return (
    <Part title={words.people}>
      <ChartView label={words.people} days={names(periods)} series={[{ name: words.registered, values: periods.map(of) }]} />
      <Table label={words.people} items={periods} idOf={(one) => one.period} columns={[first<Day>(), { id: "registered", label: words.registered, end: true, cell: (one) => number(of(one)) }]} />
    </Part>
  );
};

type MoneyDay = Admin.MoneyFigures["days"][number];
const MoneyPart: Component<{ of: Admin.MoneyFigures; by: By }> = ({ of, by }) => {
  const periods = grouped(of.days, by);
  const unit = 10 ** digitsOf(of.currency);
  const column = (id: "revenue" | "cash" | "commission" | "paidToProviders" | "released", label: string): Column<Period<MoneyDay>> =>
    ({ id, label, end: true, cell: (one) => <Money value={{ amount: sum(one.days, (day) => day[id]), currency: of.currency }} /> });
  const series = (id: "revenue" | "commission", name: string) => ({ name, values: periods.map((one) => sum(one.days, (day) => day[id]) / unit) });
  return (
    <Part title={words.money}>
      <ChartView label={words.money} days={names(periods)} format={(value) => money({ amount: Math.round(value * unit), currency: of.currency })} series={[series("revenue", words.revenue), series("commission", words.commission)]} />
      <Table label={words.money} items={periods} idOf={(one) => one.period} columns={[first<MoneyDay>(), column("revenue", words.revenue), column("cash", words.cash), column("commission", words.commission), column("paidToProviders", words.paid), column("released", words.released)]} />
    </Part>
  );
};

type FineDay = Wallet.DayFigures["items"][number];
const Fines: Component<{ of: Wallet.DayFigures; by: By }> = ({ of, by }) => {
  const periods = grouped(of.items, by);
  const unit = 10 ** digitsOf(of.currency);
  const total = (one: Period<FineDay>, field: "count" | "amount" | "paid" | "waived"): number => sum(one.days, (day) => day.fines[field]);
  const column = (id: "amount" | "paid" | "waived", label: string): Column<Period<FineDay>> =>
    ({ id, label, end: true, cell: (one) => <Money value={{ amount: total(one, id), currency: of.currency }} /> });
  return (
    <Part title={words.fines}>
      <ChartView label={words.fines} days={names(periods)} format={(value) => money({ amount: Math.round(value * unit), currency: of.currency })} series={[{ name: words.fines, values: periods.map((one) => total(one, "amount") / unit) }]} />
      <Table label={words.fines} items={periods} idOf={(one) => one.period} columns={[
        first<FineDay>(), { id: "count", label: words.count, end: true, cell: (one) => number(total(one, "count")) },
        column("amount", words.fines), column("paid", words.finesPaid), column("waived", words.waived),
      ]} />
    </Part>
  );
};

const Figures: Component<{ of: Admin.Statistics; range: { from?: string; to?: string } }> = ({ of, range }) => {
  const { market } = usePlace();
  const fines = useGet("/wallet/v1/markets/{market}/fine-figures", { market, ...range }, ["fines"]).value;
  return (
    <div class="figures">
      {Object.entries(of.people).map(([role, count]) => <Figure key={role} label={(words as unknown as Record<string, string>)[role] ?? role}>{number(count)}</Figure>)}
      {fines && <Figure label={words.fines}><Money value={{ amount: fines.amount, currency: fines.currency }} /></Figure>}
      {fines && <Figure label={words.unpaid}><Money value={{ amount: fines.unpaid, currency: fines.currency }} /></Figure>}
    </div>
  );
};

/** How the market does, by day, week or month of its own calendar. */
const Statistics: Component = () => {
  const { market } = usePlace();
  const filters: Filter[] = [...dayFilters(), choiceFilter("by", words.by, { week: words.week, month: words.month }, words.day)];
  const values = useFilters(filters);
  const by = (values.by ?? "day") as By;
  const parameters = { market, from: values.from, to: values.to };
  const range = useMoments(values);
  const statistics = useGet("/admin/v1/markets/{market}/statistics", parameters, ["orders"]);
  const figures = useGet("/admin/v1/markets/{market}/money", parameters, ["orders"]);
  const days = useGet("/wallet/v1/markets/{market}/day-figures", parameters, ["fines"]);
  return (
    <Page title={words.title}>
      <FilterBar filters={filters} values={values}><Csv path="/admin/v1/markets/{market}/statistics.csv" parameters={{ ...parameters, by }} name={`statistics-${market}`} /></FilterBar>
      <Loaded of={statistics}>
        {(found) => {
          const periods = grouped(found.days, by);
          return (
            <>
              <Figures of={found} range={range} />
              <div class="columns-2">
                <Orders periods={periods} />
                <Loaded of={figures}>{(money) => <MoneyPart of={money} by={by} />}</Loaded>
                <Times periods={periods} /><Ratings periods={periods} /><Registered periods={periods} />
                <Loaded of={days}>{(told) => <Fines of={told} by={by} />}</Loaded>
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
};

export default Statistics;
