import type { Admin } from "api-types";
import { useEffect } from "preact";
import { api } from "../../shared/api/client";
import { Cell, useCell } from "../../shared/cell";
import { usePlace } from "../../shared/router";
import { session } from "../../shared/session";

type Name = Admin.AccountName;

/** Accounts of one question, at most. */
const most = 100;
/** Names that are older are asked for again when they are shown the next time. */
const freshMinutes = 5;

interface Known {
  /** Undefined while it is asked about, and of an account that has nothing to do with the market. */
  cell: Cell<Name | undefined>;
  askedAt: number;
}

const known = new Map<string, Known>();
const none = new Cell<Name | undefined>(undefined);
/** The accounts to ask about, by market. */
const waiting = new Map<string, Set<string>>();
let timer: ReturnType<typeof setTimeout> | undefined;

function entry(market: string, account: string): Known {
  const key = `${market} ${account}`;
  const found = known.get(key) ?? { cell: new Cell<Name | undefined>(undefined), askedAt: 0 };
  known.set(key, found);
  return found;
}

async function ask(market: string, accounts: string[]): Promise<void> {
  try {
    const { items } = await api.get("/admin/v1/markets/{market}/names", { market, accounts: accounts.join(",") });
    for (const name of items) entry(market, name.account).cell.set(name);
  } catch {
    // The ids stand there meanwhile; what shows one of them the next time asks again.
    for (const account of accounts) entry(market, account).askedAt = 0;
  }
}

function askAll(): void {
  timer = undefined;
  for (const [market, accounts] of waiting) {
    const all = [...accounts];
    for (let from = 0; from < all.length; from += most) void ask(market, all.slice(from, from + most));
  }
  waiting.clear();
}

function want(market: string, account: string): void {
  const found = entry(market, account);
  if (Date.now() - found.askedAt < freshMinutes * 60_000) return;
  found.askedAt = Date.now();
  waiting.set(market, (waiting.get(market) ?? new Set()).add(account));
  if (timer === undefined) timer = setTimeout(askAll, 20);
}

/**
 * What an account is called, for what a service tells by its id alone. All that a page shows at once is one question. Without an
 * account nothing is asked.
 */
export function useName(account: string | undefined): Name | undefined {
  const { market } = usePlace();
  const name = useCell(account && market ? entry(market, account).cell : none);
  useEffect(() => {
    if (account && market) want(market, account);
  }, [account, market]);
  return name;
}

session.follow(() => {
  if (session.get().state !== "in") known.clear();
});
