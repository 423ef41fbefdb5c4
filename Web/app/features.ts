import type { Component } from "preact";

/** What a screen is given: the values of its path's pattern, and the query. */
export interface ScreenProperties {
  params: Record<string, string>;
  query: URLSearchParams;
}
interface Module {
  default: Component<ScreenProperties>;
}
type Load = () => Promise<Module>;

export interface Feature {
  /** Behind the market: `o/:order`, or `me/*` for all below. */
  path: string;
  load: Load;
  /** What `load` has fetched. */
  module?: Module;
  /** Who may open it; whoever is not logged in is led to the log-in and back. */
  for: "account" | "everybody";
  /** Whether the tab bar is shown. */
  tabbed: boolean;
  /** The only market that has it; another one may have the same path. */
  market?: string;
}

type Line = (path: string, load: Load, market?: string) => Feature;
/** Lines of one kind. */
const lines = (whom: Feature["for"], tabbed: boolean): Line => (path, load, market) => {
  const made: Feature = { path, load: async () => (made.module = await load()), for: whom, tabbed, market };
  return made;
};
const screen = lines("account", true);
/** A step of a way that ends: without the tab bar. */
const step = lines("account", false);
const open = lines("everybody", false);

/** All screens. Each is loaded when it is opened; a line is a screen, or several that share a folder. The first match counts. */
export const features: Feature[] = [
  screen("", () => import("./features/home/index")),
  screen("inbox", () => import("./features/inbox/index")),
  screen("me", () => import("./features/me/index")),
  step("me/*", () => import("./features/me/index")),
  step("papers/*", () => import("./features/papers/index")),
  // Orders: the list, and the one page of an order; the provider's work.
  step("talk/:conversation", () => import("./features/talk/index")),
  step("help", () => import("./features/help/index")),
  step("o/:order", () => import("./features/order/index")),
  screen("orders", () => import("./features/orders/index")),
  screen("work", () => import("./features/work/index")),
  step("earnings", () => import("./features/work/earnings")),
  screen("calendar", () => import("./features/work/calendar")),

  // Money: wallet, paying, cards, cash-outs, earnings, subscription.
  step("pay/:order", () => import("./features/pay/index")),
  screen("wallet", () => import("./features/wallet/index")),
  step("wallet/*", () => import("./features/wallet/index")),
  step("subscription", () => import("./features/subscription/index")),

  step("keys", () => import("./features/keys/index")),
  step("keys/:webhook", () => import("./features/keys/webhook")),

  // Places, family and friends.
  step("places", () => import("./features/places/index")),
  step("places/:place", () => import("./features/places/one")),
  step("family", () => import("./features/family/index"), "edencare"),

  // Visits and home care (assef, edencare).
  step("care/providers", () => import("./features/care/providers"), "assef"),
  step("care/when", () => import("./features/care/when"), "edencare"),
  step("care/summary", () => import("./features/care/summary"), "edencare"),
  step("services", () => import("./features/work/services"), "assef"),
  step("series", () => import("./features/series/list"), "edencare"),
  step("series/:series", () => import("./features/series/one"), "edencare"),
  screen("clients", () => import("./features/work/clients"), "edencare"),

  // Rides, food and bikes (btnc).
  step("ride", () => import("./features/ride/index"), "btnc"),
  step("bikes", () => import("./features/bikes/index"), "btnc"),
  screen("food", () => import("./features/food/index"), "btnc"),
  step("food/:restaurant", () => import("./features/food/menu"), "btnc"),
  step("food/:restaurant/order", () => import("./features/food/checkout"), "btnc"),
  screen("kitchen", () => import("./features/kitchen/index"), "btnc"),
  step("kitchen/info", () => import("./features/kitchen/info"), "btnc"),
  screen("menu", () => import("./features/kitchen/menu"), "btnc"),
  step("menu/:item", () => import("./features/kitchen/item"), "btnc"),
  screen("sales", () => import("./features/kitchen/sales"), "btnc"),
  screen("work", () => import("./features/drive/index"), "btnc"),
  screen("requests", () => import("./features/drive/requests"), "btnc"),
  screen("earnings", () => import("./features/drive/earnings"), "btnc"),

  // Parcels (carrepsa).
  step("series", () => import("./features/series/list"), "carrepsa"),
  step("series/:series", () => import("./features/series/one"), "carrepsa"),
  step("send", () => import("./features/parcels/send"), "carrepsa"),
  screen("board", () => import("./features/parcels/board"), "carrepsa"),
  screen("earnings", () => import("./features/parcels/earnings"), "carrepsa"),
  step("people/:account", () => import("./features/people/index")),

  // Pilgrims (hajji).
  lines("everybody", true)("", () => import("./features/guide/index"), "hajji"),
  open("guide/:page", () => import("./features/guide/index"), "hajji"),
  open("find", () => import("./features/find/index"), "hajji"),
  screen("friends/*", () => import("./features/friends/index"), "hajji"),

  // Before the log-in.

  open("welcome", () => import("./features/welcome/index")),
  open("browse", () => import("./features/care/browse"), "assef"),
  open("browse", () => import("./features/care/browse"), "edencare"),
  open("tour", () => import("./features/tour/index")),
  open("login", () => import("./features/login/index")),
  open("forgot", () => import("./features/login/forgot")),
  open("register", () => import("./features/register/index")),
  // What admins write for everybody: about, privacy, questions, and for pilgrims news, fatawa, rituals and contacts.
  open("help/:item", () => import("./features/help/index")),
  open("confirm", () => import("./features/register/confirm")),
  // Where mails and Nafath lead back to.
  open("password", () => import("./features/links/password")),
  open("contact", () => import("./features/links/contact")),
  open("role", () => import("./features/links/role")),
  open("payments", () => import("./features/pay/returned")),
  open("nafath", () => import("./features/login/nafath")),
];
