import type { Component } from "preact";
import type { MarketId } from "../shared/market";
import type { Count } from "./counts";
import { titles } from "./titles";
import { words } from "./words";

/** What a page is given: what follows its path, such as the id of what is open beside its list, and the query. */
export interface PageProperties {
  params: Record<string, string>;
  query: URLSearchParams;
}
interface Module {
  default: Component<PageProperties>;
}

export type Group = "now" | "people" | "orders" | "money" | "market_" | "watch";
export const groups: Group[] = ["now", "people", "orders", "money", "market_", "watch"];
export const groupName = (group: Group): string => words[group];

export interface Page {
  /** Behind `/console/{market}/`, and its name in `titles.ts`. `PATH/:id` is the page with something open. */
  path: keyof typeof titles;
  load: () => Promise<Module>;
  module?: Module;
  /** Where it stands in the rail; pages without one are reached by links. */
  group?: Group;
  /** The page of the rail that it belongs to: both have links to each other beneath their titles. */
  under?: keyof typeof titles;
  /** `g` and then this letter. */
  key?: string;
  /** The markets that have it; all where none is named. */
  markets?: MarketId[];
  /** Master admins alone. */
  needs?: "master";
  /** How many things wait there. */
  count?: Count;
}

function page(path: Page["path"], load: Page["load"], rest: Partial<Page> = {}): Page {
  const made: Page = { path, load: async () => (made.module = await load()), ...rest };
  return made;
}

/** The markets in which something is ordered and paid. */
const ordering: MarketId[] = ["assef", "edencare", "btnc", "carrepsa"];
export const hasOrders = (market: string): boolean => ordering.includes(market as MarketId);

/** All pages. Each is loaded when it is opened. */
export const pages: Page[] = [
  page("today", () => import("./pages/today/index"), { group: "now", key: "t" }),
  page("inbox", () => import("./pages/inbox/index"), { group: "now", key: "x", count: "inbox" }),
  page("decisions", () => import("./pages/decisions/index"), { group: "now", key: "w" }),
  page("search", () => import("./pages/search/index")),

  page("people", () => import("./pages/people/index"), { group: "people", key: "p" }),
  page("bans", () => import("./pages/bans/index"), { under: "people", key: "b" }),
  page("removals", () => import("./pages/removals/index"), { under: "people", count: "removals" }),
  page("papers", () => import("./pages/papers/index"), { group: "people", key: "v", count: "papers", markets: ordering }),
  page("expiring", () => import("./pages/papers/expiring"), { under: "papers", markets: ordering }),
  page("professions", () => import("./pages/professions/index"), { under: "papers", count: "professions", markets: ["assef"] }),
  page("families", () => import("./pages/families/index"), { group: "people", key: "f", count: "families", markets: ["edencare"] }),
  page("admins", () => import("./pages/admins/index"), { group: "people", needs: "master" }),

  page("orders", () => import("./pages/orders/index"), { group: "orders", key: "o", markets: ordering }),
  page("desk", () => import("./pages/desk/index"), { group: "orders", key: "d", count: "desk", markets: ["edencare"] }),
  page("caller", () => import("./pages/caller/index"), { group: "orders", key: "n", markets: ["edencare"] }),
  page("series", () => import("./pages/series/index"), { group: "orders", markets: ["edencare", "carrepsa"] }),
  page("reports", () => import("./pages/reports/index"), { group: "orders", key: "r", count: "reports", markets: ordering }),
  page("messages", () => import("./pages/messages/index"), { under: "reports", count: "messageReports" }),
  page("inquiries", () => import("./pages/inquiries/index"), { group: "now", key: "q", count: "inquiries" }),
  page("answers", () => import("./pages/answers/index"), { under: "inquiries" }),

  page("payments", () => import("./pages/payments/index"), { group: "money", key: "m", markets: ordering }),
  page("refunds", () => import("./pages/refunds/index"), { under: "payments", markets: ordering }),
  page("fines", () => import("./pages/fines/index"), { under: "payments", markets: ordering }),
  page("disputes", () => import("./pages/disputes/index"), { under: "payments", count: "disputes", markets: ordering }),
  page("debtors", () => import("./pages/debtors/index"), { under: "payments", markets: ordering }),
  page("writeoffs", () => import("./pages/writeoffs/index"), { under: "payments", markets: ordering }),
  page("cashouts", () => import("./pages/cashouts/index"), { group: "money", key: "c", count: "cashouts", markets: ordering }),
  page("approvals", () => import("./pages/approvals/index"), { group: "money", key: "2", count: "approvals", markets: ordering }),
  page("commissions", () => import("./pages/commissions/index"), { group: "money", markets: ordering }),
  page("ledger", () => import("./pages/ledger/index"), { under: "commissions", needs: "master" }),

  page("plans", () => import("./pages/plans/index"), { group: "market_", markets: ordering }),
  page("promos", () => import("./pages/promos/index"), { group: "market_", markets: ordering }),
  page("catalogue", () => import("./pages/catalogue/index"), { group: "market_", markets: ordering }),
  page("places", () => import("./pages/places/index"), { group: "market_", markets: ["hajji"] }),
  page("content", () => import("./pages/content/index"), { group: "market_" }),
  page("feeds", () => import("./pages/feeds/index"), { under: "content" }),
  page("restaurants", () => import("./pages/restaurants/index"), { group: "market_", markets: ["btnc"] }),
  page("racks", () => import("./pages/racks/index"), { group: "market_", markets: ["btnc"] }),
  page("bikes", () => import("./pages/racks/bikes"), { under: "racks", markets: ["btnc"] }),
  page("notices", () => import("./pages/notices/index"), { group: "market_", key: "l" }),
  page("settings", () => import("./pages/settings/index"), { group: "market_", key: "s" }),

  page("statistics", () => import("./pages/statistics/index"), { group: "watch", key: "i", markets: ordering }),
  page("audit", () => import("./pages/audit/index"), { group: "watch", key: "a" }),
  page("system", () => import("./pages/system/index"), { group: "watch", key: "y" }),
  page("dead", () => import("./pages/dead/index"), { under: "system", needs: "master" }),
];

export const pageTitle = (page: Page): string => titles[page.path];
export const isThere = (page: Page, market: string): boolean => !page.markets || page.markets.includes(market as MarketId);
/** The page of an address, and those that belong together with it: the one of the rail first. */
export const pageOf = (path: string): Page | undefined => pages.find((page) => page.path === path.split("/")[0]);
export const family = (page: Page): Page[] => pages.filter((one) => one.path === (page.under ?? page.path) || one.under === (page.under ?? page.path));
