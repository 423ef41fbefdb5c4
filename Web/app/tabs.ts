import type { Mode } from "../shared/market";
import { catalogue } from "../shared/words";

const words = catalogue({
  home: { en: "Home", ar: "الرئيسية" },
  orders: { en: "Orders", ar: "الطلبات" },
  wallet: { en: "Wallet", ar: "المحفظة" },
  inbox: { en: "Inbox", ar: "الإشعارات" },
  me: { en: "Me", ar: "حسابي" },
  work: { en: "Work", ar: "العمل" },
  calendar: { en: "Calendar", ar: "التقويم" },
  board: { en: "Board", ar: "اللوحة" },
  requests: { en: "Requests", ar: "الطلبات" },
  earnings: { en: "Earnings", ar: "الأرباح" },
  kitchen: { en: "Orders", ar: "الطلبات" },
  menu: { en: "Menu", ar: "القائمة" },
  sales: { en: "Sales", ar: "المبيعات" },
  clients: { en: "Clients", ar: "العملاء" },
  friends: { en: "Friends", ar: "الأصدقاء" },
});

export interface Tab {
  path: string;
  icon: string;
  label: string;
}
type Name = keyof typeof words;

const icons: Record<Name, string> = {
  home: "home", orders: "orders", wallet: "wallet", inbox: "inbox", me: "person", work: "work", calendar: "calendar", board: "parcel",
  requests: "map", earnings: "chart", kitchen: "orders", menu: "food", sales: "chart", clients: "people", friends: "people",
};

const working: Record<string, Name[]> = {
  assef: ["work", "calendar", "wallet", "inbox", "me"],
  edencare: ["work", "calendar", "clients", "inbox", "me"],
  carrepsa: ["board", "orders", "earnings", "inbox", "me"],
  btnc: ["work", "requests", "earnings", "inbox", "me"],
};

/** Where customers order nothing. */
const visiting: Record<string, Name[]> = { hajji: ["home", "friends", "inbox", "me"] };

/** The tabs of a mode; the first is where one arrives. `home` is the market's own address. */
export function tabsOf(market: string, mode: Mode): Tab[] {
  const names: Name[] = mode === "customer" ? visiting[market] ?? ["home", "orders", "wallet", "inbox", "me"]
    : mode === "restaurant" ? ["kitchen", "menu", "sales", "inbox", "me"]
    : working[market] ?? working.assef;
  return names.map((name) => ({ path: name === "home" ? "" : name, icon: icons[name], label: words[name] }));
}
