import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { dayKey, dayName, duration, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { Badge, Loaded, Money, Note, Rating } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, Code, Detail, Facts, Figure, kitWords, Part, reasonField, Table, Who } from "../../kit";
import { words } from "./words";

const states = (): Record<string, string> => ({ open: words.open, closed: words.closed, closedByAdmin: words.closedByAdmin, unverified: words.unverified });
export const stateName = (state: string): string => states()[state] ?? state;
export const stateTone = (state: string): "good" | "warning" | "danger" | "neutral" =>
  state === "open" ? "good" : state === "closedByAdmin" ? "danger" : state === "unverified" ? "warning" : "neutral";

const daysBack = (days: number): string => dayKey(Date.now() - days * 86_400_000);

/** What it has sold in a range of days: orders, sums, and what each day brought. */
const Sales: Component<{ restaurant: string }> = ({ restaurant: id }) => {
  const { market } = usePlace();
  const [range, setRange] = useState({ from: daysBack(29), to: daysBack(0) });
  const found = useGet("/dispatch/v1/markets/{market}/merchants/{id}/sales", { market, id, ...range }, [`sales:${id}`]);
  const change = (name: "from" | "to") => (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    if (value) setRange({ ...range, [name]: value });
  };
  return (
    <Part title={words.sales}>
      <div class="filters" role="group" aria-label={words.sales}>
        <div class="filter"><label for="sales-from">{kitWords.from}</label><input id="sales-from" class="form-control" type="date" value={range.from} max={range.to} onChange={change("from")} /></div>
        <div class="filter"><label for="sales-to">{kitWords.to}</label><input id="sales-to" class="form-control" type="date" value={range.to} min={range.from} onChange={change("to")} /></div>
      </div>
      <Loaded of={found}>
        {(sales) => {
          const sum = (amount: number): JSX.Element => <Money value={{ amount, currency: sales.currency }} />;
          return sales.days.length === 0 ? <p class="muted">{words.noSales}</p> : (
            <>
              <div class="figures"><Figure label={words.orders}>{number(sales.orders)}</Figure><Figure label={words.amount}>{sum(sales.amount)}</Figure><Figure label={words.returned}>{sum(sales.returned)}</Figure></div>
              <Table label={words.sales} items={sales.days} idOf={(day) => day.day} columns={[
                { id: "day", label: words.day, cell: (day) => dayName(day.day) },
                { id: "orders", label: words.orders, end: true, cell: (day) => number(day.orders) },
                { id: "sold", label: words.sold, end: true, cell: (day) => number(day.count) },
                { id: "amount", label: words.amount, end: true, cell: (day) => sum(day.amount) },
              ]} />
            </>
          );
        }}
      </Loaded>
    </Part>
  );
};

const Menu: Component<{ of: Dispatch.Restaurant }> = ({ of }) => (
  <Part title={words.menu}>
    {of.menu.length === 0 ? <p class="muted">{words.noMenu}</p> : (
      <Table label={words.menu} items={of.menu} idOf={(item) => item.item} columns={[
        { id: "item", label: words.item, cell: (item) => <><bdi>{item.name}</bdi>{item.currency !== of.currency && <Badge tone="warning">{words.otherCurrency}</Badge>}</> },
        { id: "price", label: words.price, end: true, cell: (item) => <Money value={{ amount: item.price, currency: item.currency }} /> },
      ]} />
    )}
  </Part>
);

const Switch: Component<{ of: Dispatch.Merchant }> = ({ of }) => {
  const { market } = usePlace();
  const send = (open: boolean) => ({ reason }: Record<string, string | boolean>) =>
    api.put("/dispatch/v1/markets/{market}/merchants/{id}/open", { market, id: of.restaurant }, { open, reason: String(reason) });
  const tags = ["restaurants", `restaurant:${of.restaurant}`];
  const name = isolate(of.name);
  return (
    <>
      {of.state !== "open" && <Act label={words.openIt} title={words.openTitle(name)} text={words.openText} fields={[reasonField()]} tags={tags} send={send(true)} />}
      {of.state !== "closedByAdmin" && <Act label={words.closeIt} title={words.closeTitle(name)} text={words.closeText} look="danger" fields={[reasonField()]} tags={tags} send={send(false)} />}
    </>
  );
};

/** One restaurant: whose it is, its menu and sales; an admin opens and closes it. */
export const Restaurant: Component<{ restaurant: string }> = ({ restaurant: id }) => {
  const { market } = usePlace();
  const found = useGet("/dispatch/v1/markets/{market}/merchants/{id}", { market, id }, [`restaurant:${id}`]);
  return (
    <Detail title={found.value ? <bdi>{found.value.merchant.name}</bdi> : words.name} back="restaurants" of={found} acts={({ merchant }) => <Switch of={merchant} />}>
      {({ merchant, page }) => (
        <>
          {merchant.closedReason && <Note tone="danger"><strong>{words.closedByAdmin}</strong><p dir="auto">{merchant.closedReason}</p></Note>}
          <Facts of={[
            [words.state, <Badge tone={stateTone(merchant.state)}>{stateName(merchant.state)}</Badge>], [words.owner, <Who {...merchant.owner} />],
            [words.papers, merchant.isBanned ? words.banned : merchant.isVerified ? words.verified : words.unverified],
            [words.address, page.address && <bdi>{page.address}</bdi>], [words.phone, page.phone && <bdi dir="ltr">{page.phone}</bdi>],
            [words.rating, page.ratings > 0 && <Rating average={page.rating ?? 0} count={page.ratings} />], [words.preparation, duration(page.preparationMinutes * 60)],
            [words.hours, page.hours && page.hours.length > 0 && page.hours.map((hour) => <div key={hour.day + hour.opens}>{words[hour.day]} <bdi dir="ltr">{hour.opens}–{hour.closes}</bdi></div>)],
            [words.papersOf, <a href={to(`people/${merchant.owner.account}`)}>{words.see}</a>], [words.number, <Code value={merchant.restaurant} />],
          ]} />
          <Sales restaurant={id} />
          <Menu of={page} />
        </>
      )}
    </Detail>
  );
};
