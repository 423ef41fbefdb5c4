import type { Wallet } from "api-types";
import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { dayAndTime, latinDigits, minorUnits, money, number } from "../../../shared/format";
import { useMarket } from "../../../shared/market";
import { usePlace } from "../../../shared/router";
import { Badge, Money } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { momentOf } from "../../../shared/zone";
import { Act, ActField, ActValues, Csv, kitWords, List, optionsOf, Page, secondApproval } from "../../kit";
import { words } from "./words";

const wholeNumber = (text: unknown): number | undefined => (/^[1-9]\d{0,8}$/.test(latinDigits(String(text))) ? Number(latinDigits(String(text))) : undefined);

function fieldsOf(currency: string): ActField[] {
  const isPart = (values: ActValues): boolean => values.kind === "part";
  return [
    { name: "code", label: words.code, maximum: 30 },
    { name: "kind", label: words.kind, kind: "choice", initial: "part", options: optionsOf({ part: words.part, sum: words.sum }) },
    { name: "percent", label: words.percent, kind: "digits", when: isPart }, { name: "maximum", label: `${words.maximum} (${currency})`, kind: "amount", when: isPart },
    { name: "amount", label: `${words.amount} (${currency})`, kind: "amount", when: (values) => !isPart(values) },
    { name: "minimumPrice", label: `${words.minimum} (${currency})`, kind: "amount", optional: true },
    { name: "startsAt", label: words.starts, kind: "datetime-local", optional: true }, { name: "endsAt", label: words.ends, kind: "datetime-local", optional: true },
    { name: "limit", label: words.limit, kind: "digits", initial: "100" }, { name: "limitPerAccount", label: words.perAccount, kind: "digits", initial: "1" },
  ];
}

const Make: Component = () => {
  const { market } = usePlace();
  const { market: terms } = useMarket();
  const [currency, zone] = [terms?.currency ?? "SAR", terms?.timeZone ?? "UTC"];
  const minor = (text: unknown): number | undefined => (String(text ?? "").trim() ? minorUnits(String(text), currency) : undefined);
  const moment = (text: unknown): string | undefined => (text ? momentOf(String(text).slice(0, 10), String(text).slice(11, 16), zone).toISOString() : undefined);
  const check = (values: ActValues) => ({
    percent: !((wholeNumber(values.percent) ?? 101) <= 100) && words.badPercent, maximum: minor(values.maximum) === undefined && kitWords.badAmount, amount: minor(values.amount) === undefined && kitWords.badAmount,
    minimumPrice: Boolean(values.minimumPrice) && minor(values.minimumPrice) === undefined && kitWords.badAmount,
    limit: wholeNumber(values.limit) === undefined && words.badNumber, limitPerAccount: wholeNumber(values.limitPerAccount) === undefined && words.badNumber,
  });
  return (
    <Act label={words.make} title={words.make} text={words.makeText} look="primary" tags={["promos", "approvals"]} fields={fieldsOf(currency)} check={check} pointers={{ "/basisPoints": "percent" }}
      send={(values, key) => api.post("/wallet/v1/markets/{market}/promo-codes", { market }, {
        code: String(values.code).trim(), currency, limit: wholeNumber(values.limit) ?? 1, limitPerAccount: wholeNumber(values.limitPerAccount) ?? 1,
        ...(values.kind === "part" ? { basisPoints: (wholeNumber(values.percent) ?? 0) * 100, maximum: minor(values.maximum) } : { amount: minor(values.amount) }),
        minimumPrice: minor(values.minimumPrice), startsAt: moment(values.startsAt), endsAt: moment(values.endsAt),
      }, { key })}
      told={secondApproval} />
  );
};

const gives = (code: Wallet.PromoCode): string => code.basisPoints !== undefined
  ? [`${number(code.basisPoints / 100, 2)}%`, code.maximum !== undefined && words.upTo(money({ amount: code.maximum, currency: code.currency }))].filter(Boolean).join(" ")
  : money({ amount: code.amount ?? 0, currency: code.currency });
const isOver = (code: Wallet.PromoCode): boolean => Boolean(code.endedAt) || (code.endsAt !== undefined && Date.parse(code.endsAt) < Date.now());

const Promos: Component = () => {
  const { market } = usePlace();
  return (
    <Page title={words.title} acts={<Make />}>
      <List title={words.title} path="/wallet/v1/markets/{market}/promo-codes" parameters={{ market }} tags={["promos"]} empty={words.none}
        end={<Csv path="/wallet/v1/markets/{market}/promo-codes.csv" parameters={{ market }} name={`promo-codes-${market}`} />}
        idOf={(one) => one.id}
        columns={[
          { id: "code", label: words.code, cell: (one) => <bdi class="code-text">{one.code}</bdi> },
          { id: "state", label: words.state, cell: (one) => <Badge tone={isOver(one) ? "neutral" : "good"}>{isOver(one) ? words.ended : words.running}</Badge> },
          { id: "gives", label: words.gives, cell: (one) => gives(one) },
          { id: "minimum", label: words.minimum, wide: true, end: true, cell: (one) => one.minimumPrice > 0 && <Money value={{ amount: one.minimumPrice, currency: one.currency }} /> },
          { id: "uses", label: words.uses, end: true, cell: (one) => `${number(one.uses)}${one.limit ? ` / ${number(one.limit)}` : ""}` },
          { id: "discounts", label: words.discounts, end: true, wide: true, cell: (one) => <Money value={{ amount: one.capturedDiscounts, currency: one.currency }} /> },
          { id: "ends", label: words.ends, wide: true, cell: (one) => one.endsAt && dayAndTime(one.endsAt) },
          {
            id: "acts", label: "", end: true, cell: (one) => !isOver(one) && (
              <Act small label={words.end} title={words.endTitle(isolate(one.code))} text={words.endText} look="danger" tags={["promos"]}
                send={(_, key) => api.post("/wallet/v1/markets/{market}/promo-codes/{code}/end", { market, code: one.id }, undefined, { key })} />
            ),
          },
        ]} />
    </Page>
  );
};

export default Promos;
