import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useMarket, useMode } from "../../../shared/market";
import { More, usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { go, place, to } from "../../../shared/router";
import { catalogue, isolate } from "../../../shared/words";
import { Button, Empty, IconButton, List, Loaded, Row, Screen, Tabs, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { OrderRow } from "../order/parts/row";

const words = catalogue({
  title: { en: "Orders", ar: "الطلبات" },
  section: { en: "Which orders", ar: "أي الطلبات" },
  active: { en: "Active", ar: "الحالية" },
  past: { en: "Past", ar: "السابقة" },
  whose: { en: "Whose orders", ar: "طلبات من" },
  mine: { en: "Mine", ar: "طلباتي" },
  forMe: { en: "For me", ar: "من أجلي" },
  parcels: { en: "Repeating parcels", ar: "الطرود المتكررة" },
  noneForMe: { en: "Nobody has ordered a visit for you", ar: "لم يطلب أحد زيارة لك" },
  of: { en: (name: string) => isolate(name), ar: (name: string) => isolate(name) },
  noneActive: { en: "No order is under way", ar: "لا يوجد طلب قيد التنفيذ" },
  nonePast: { en: "No past orders yet", ar: "لا توجد طلبات سابقة" },
  toHome: { en: "See what can be ordered", ar: "عرض ما يمكن طلبه" },
  toWork: { en: "Go to your work", ar: "الانتقال إلى العمل" },
  series: { en: "Repeating visits", ar: "الزيارات المتكررة" },
  download: { en: "Download as a file", ar: "تنزيل كملف" },
  more: { en: "Show older ones", ar: "عرض الأقدم" },
});

type Role = "customer" | "provider" | "merchant" | "recipient";

/** Relatives whose orders one may see, and whether there are any relatives. */
function useSeen(market: string, isAsked: boolean): { seen: { account: string; name: string }[]; hasRelatives: boolean } {
  const links = useGet("/identity/v1/accounts/me/links", isAsked ? {} : null, ["links"]);
  const own = (links.value?.items ?? []).filter((link) => link.kind === "family" && link.state === "confirmed" && link.market === market && link.other.account);
  return { hasRelatives: own.length > 0, seen: own.filter((link) => link.scopes.includes("see")).map((link) => ({ account: link.other.account as string, name: link.other.name ?? "" })) };
}

/** All that has ended, as a file for a spreadsheet. */
async function download(role: Exclude<Role, "recipient">, market: string): Promise<void> {
  try {
    const file = (await api.get("/dispatch/v1/orders.csv", { role, market })) as unknown as Blob;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = "orders.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    toast(textOf(error));
  }
}

const Orders: Component<{ role: Role; section: "active" | "past"; relative?: string; market: string }> = ({ role, section, relative, market }) => {
  const pages = usePages("/dispatch/v1/orders", { role, section, relative, limit: 30 }, ["orders"], (order) => order.order);
  const items = pages.items?.filter((one) => one.market === market) ?? [];
  return (
    <Loaded of={pages.first}>
      {() => (items.length === 0 && !pages.hasMore ? (
        <Empty icon="orders" title={role === "recipient" ? words.noneForMe : section === "active" ? words.noneActive : words.nonePast}>
          <Button kind="second" href={to("")}>{role === "customer" || role === "recipient" ? words.toHome : words.toWork}</Button>
        </Empty>
      ) : (
        <>
          <List label={section === "active" ? words.active : words.past}>{items.map((order) => <OrderRow key={order.order} order={order} />)}</List>
          <More of={pages}>{words.more}</More>
        </>
      ))}
    </Loaded>
  );
};

/** Orders of the mode's side, those that go on and those that have ended. The address holds what is shown. */
const OrderLists: Component<ScreenProperties> = ({ query }) => {
  const mode = useMode();
  const { market } = place.get();
  const { market: terms } = useMarket();
  const side: Exclude<Role, "recipient"> = mode === "customer" ? "customer" : mode === "restaurant" ? "merchant" : "provider";
  const section = query.get("section") === "past" ? "past" : "active";
  const relative = query.get("of") ?? undefined;
  const isAssigned = terms?.kinds.some((kind) => kind.matching === "assigned") ?? false;
  const { seen, hasRelatives } = useSeen(market, side === "customer" && isAssigned);
  const isForMe = relative === "me";
  const open = (change: Record<string, string>): void => {
    const wanted = new URLSearchParams({ section, ...(relative ? { of: relative } : {}), ...change });
    if (wanted.get("of") === "") wanted.delete("of");
    go(`orders?${wanted.toString()}`, { replace: true });
  };
  return (
    <Screen title={words.title} end={section === "past" && <IconButton icon="download" label={words.download} onTap={() => void download(side, market)} />} back={{ customer: undefined, provider: "work", merchant: "kitchen" }[side]}>
      <Tabs label={words.section} value={section} onChoose={(id) => open({ section: id })} items={[{ id: "active", label: words.active }, { id: "past", label: words.past }]} />
      {hasRelatives && (
        <Tabs label={words.whose} value={relative ?? ""} onChoose={(id) => open({ of: id })}
          items={[{ id: "", label: words.mine }, { id: "me", label: words.forMe }, ...seen.map((one) => ({ id: one.account, label: words.of(one.name) }))]} />
      )}
      {side === "customer" && isAssigned && !relative && section === "active" && <List><Row icon="repeat" title={words.series} href={to("series")} /></List>}
      {side === "customer" && market === "carrepsa" && section === "active" && <List><Row icon="repeat" title={words.parcels} href={to("series")} /></List>}
      <Orders key={`${side} ${section} ${relative}`} role={isForMe ? "recipient" : side} section={section} relative={isForMe ? undefined : relative} market={market} />
    </Screen>
  );
};
export default OrderLists;
