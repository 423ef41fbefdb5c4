import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { money } from "../../../shared/format";
import { usePlace, go, to } from "../../../shared/router";
import { Empty, Skeleton } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Page, Table } from "../../kit";
import type { PageProperties } from "../../pages";
import { words } from "./words";

interface Found {
  what: string;
  text: string;
  path: string;
}

const isNumber = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** Whatever bears the number: each service is asked, and what is not there is no failure. */
async function byNumber(market: string, id: string): Promise<Found[]> {
  const asks: Promise<Found | undefined>[] = [
    api.get("/admin/v1/orders/{order}", { order: id }).then((one) => (one.market === market ? { what: words.order, text: `${one.kindName}, ${one.label}`, path: `orders/${id}` } : undefined)),
    api.get("/identity/v1/markets/{market}/people", { market, account: [id] }).then(({ items: [one] }) => one && { what: words.person, text: isolate(one.name), path: `people/${id}` }),
    api.get("/admin/v1/reports/{report}", { report: id }).then(({ report }) => (report.market === market ? { what: words.report, text: report.reasonText, path: `reports/${id}` } : undefined)),
    api.get("/wallet/v1/markets/{market}/cash-outs/{cashOut}", { market, cashOut: id }).then((one) => ({ what: words.cashout, text: money(one.amount), path: `cashouts/${id}` })),
  ];
  const found = await Promise.all(asks.map((ask) => ask.catch(() => undefined)));
  return found.filter((one): one is Found => one !== undefined);
}

async function byName(market: string, name: string): Promise<Found[]> {
  const { items } = await api.get("/identity/v1/markets/{market}/people", { market, name, limit: 20 });
  return items.map((one) => ({ what: words.person, text: isolate(one.name), path: `people/${one.account}` }));
}

/** What the search in the head has found. A number with one answer leads there at once. */
const Search: Component<PageProperties> = ({ query }) => {
  const { market } = usePlace();
  const text = query.get("q")?.trim() ?? "";
  const [found, setFound] = useState<Found[] | undefined>(undefined);
  useEffect(() => {
    let isOver = false;
    setFound(undefined);
    const ask = !text ? Promise.resolve([]) : isNumber(text) ? byNumber(market, text) : byName(market, text);
    void ask.catch(() => []).then((items) => {
      if (isOver) return;
      if (isNumber(text) && items.length === 1) go(items[0].path, { replace: true });
      else setFound(items);
    });
    return () => { isOver = true; };
  }, [market, text]);
  return (
    <Page title={text ? words.for(isolate(text)) : words.title} intro={words.hint}>
      {!found ? <Skeleton rows={4} /> : found.length === 0 ? <Empty icon="search" title={words.nothing} /> : (
        <Table label={words.title} items={found} idOf={(one) => one.path} columns={[
          { id: "found", label: words.found, cell: (one) => <a href={to(one.path)} data-row>{one.text}</a> },
          { id: "what", label: words.what, cell: (one) => one.what },
        ]} />
      )}
    </Page>
  );
};

export default Search;
