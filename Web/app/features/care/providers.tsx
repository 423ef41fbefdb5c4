import type { Component } from "preact";
import { useRef, useState } from "preact";
import type { Dispatch } from "api-types";
import { api, newKey } from "../../../shared/api/client";
import { isDecided, Problem, textOf } from "../../../shared/api/problem";
import { duration, list as joined, Money, money } from "../../../shared/format";
import { MapMarker, MapView } from "../../../shared/map";
import { More, usePages } from "../../../shared/pages";
import { invalidate, useGet } from "../../../shared/resources";
import { go, place as address, to } from "../../../shared/router";
import { useSettled } from "../../../shared/settled";
import { ask as asks, Avatar, Badge, Button, Empty, IconButton, List, Loaded, Note, Rating, Row, Screen, Skeleton, Tabs } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { sent, useDraft } from "./draft";
import { PlaceRow, usePlaceOfDraft } from "./place-row";
import { Service, useServices } from "./services";
import { words } from "./provider-words";
import { words as common } from "./words";

type Free = Dispatch.FreeProviderList["items"][number];

const Provider: Component<{ one: Free; services: Service[]; currency: string; busy: boolean; isOff: boolean; onAsk: () => void }> = ({ one, services, currency, busy, isOff, onAsk }) => {
  const price = money({ amount: one.total.amount ?? 0, currency: one.total.currency ?? currency });
  const parts = one.prices.map((part) => words.each(services.find((service) => service.id === part.service)?.name ?? "", money({ amount: part.price ?? 0, currency: one.total.currency ?? currency })));
  return (
    <li class="card provider">
      <div class="person">
        <Avatar name={one.name} src={one.avatar} size={56} />
        <span class="row-text">
          <span class="row-title"><bdi>{one.name}</bdi></span>
          <span class="row-detail">{one.titleName}</span>
          <span class="line provider-facts">
            {one.rating !== undefined ? <Rating average={one.rating} count={one.ratingCount} /> : <Badge>{words.new}</Badge>}
            <span class="row-detail">{words.there(duration(one.secondsAway))}</span>
          </span>
        </span>
      </div>
      {parts.length > 1 && <p class="row-detail">{parts.join(" · ")}</p>}
      <Button wide label={words.ask(one.name, price)} busy={busy} disabled={isOff} onTap={onAsk}>{words.askShort} · {price}</Button>
    </li>
  );
};

const NearbyMap: Component<{ market: string; at: { latitude: number; longitude: number } }> = ({ market, at }) => {
  const nearby = useGet("/dispatch/v1/markets/{market}/nearby", { market, latitude: at.latitude, longitude: at.longitude });
  const markers: MapMarker[] = [
    { id: "place", at, label: words.you, look: "pin" },
    ...(nearby.value?.items ?? []).map((spot, index) => ({ id: `free-${index}`, at: spot, label: words.provider, look: "moving" as const, icon: "care" })),
  ];
  return <><MapView key={nearby.value ? "all" : "place"} centre={at} markers={markers} fits tall zoom={12} /><p class="hint">{words.mapHint}</p></>;
};

function useAsk(reload: () => void): { ask: (one: Free) => Promise<void>; asking?: string; fault?: unknown } {
  const { market } = address.get();
  const draft = useDraft();
  const keys = useRef(new Map<string, string>());
  const [asking, setAsking] = useState<string | undefined>(undefined);
  const [fault, setFault] = useState<unknown>(undefined);
  const ask = async (one: Free, total = one.total as Money): Promise<void> => {
    const { place } = draft;
    if (!place || asking) return;
    setAsking(one.provider);
    setFault(undefined);
    const key = keys.current.get(one.provider) ?? newKey();
    keys.current.set(one.provider, key);
    try {
      const order = await api.post("/dispatch/v1/orders", {}, {
        market, provider: one.provider, services: draft.services, latitude: place.latitude, longitude: place.longitude,
        description: [place.address ?? place.name, draft.note].filter(Boolean).join(", ").slice(0, 500) || undefined, total,
      }, { key });
      sent();
      invalidate("orders");
      go(`o/${order.order}`, { replace: true });
    } catch (error) {
      if (isDecided(error)) keys.current.delete(one.provider);
      const price = error instanceof Problem && error.slug === "price-changed" ? (error.body.price as Money) : undefined;
      if (price) {
        setAsking(undefined);
        reload();
        const yes = await asks({ title: words.changed(money(price)), text: words.changedText(money(total)), yes: words.ask(one.name, money(price)) });
        return yes ? ask(one, price) : undefined;
      }
      setFault(error);
      if (error instanceof Problem && error.slug === "provider-unavailable") reload();
    }
    setAsking(undefined);
  };
  return { ask, asking, fault };
}

/** Who could come now, the soonest first: a tap asks. */
const Providers: Component<ScreenProperties> = () => {
  const { market: id } = address.get();
  const draft = useDraft();
  const { list: all, market } = useServices();
  const place = usePlaceOfDraft();
  const [gender, setGender] = useState("all");
  const [view, setView] = useState("list");
  const [text, setText] = useState("");
  const name = useSettled(text.trim());
  const free = usePages("/dispatch/v1/markets/{market}/providers", place && draft.services.length ? {
    market: id, latitude: place.latitude, longitude: place.longitude, services: draft.services.join(","),
    gender: gender === "all" ? undefined : (gender as "female" | "male"), name: name || undefined, limit: 20,
  } : null, ["free-providers"], (one) => one.provider);
  const reload = (): void => void free.first.reload();
  const { ask, asking, fault } = useAsk(reload);
  const isFiltered = gender !== "all" || Boolean(name);
  const names = (all ?? []).filter((one) => draft.services.includes(one.id)).map((one) => one.name);
  if (!draft.services.length) {
    return <Screen title={words.providers} back=""><Empty icon="care" title={common.nothing}><Button href={to("")}>{common.toServices}</Button></Empty></Screen>;
  }
  const clear = (): void => { setGender("all"); setText(""); };
  return (
    <Screen title={words.providers} back="" end={<IconButton icon="refresh" label={words.refresh} onTap={reload} />}>
      <List><Row icon="care" title={common.services} detail={joined(names)} end={<span class="link">{common.change}</span>} href={to("")} /><PlaceRow /></List>
      {!place ? <Empty icon="pin" title={common.where}><PlaceRow big /></Empty> : (
        <>
          <div class="filters">
            <Tabs label={words.gender} value={gender} onChoose={setGender} items={[{ id: "all", label: words.all }, { id: "female", label: words.female }, { id: "male", label: words.male }]} />
            <Tabs label={words.view} value={view} onChoose={setView} items={[{ id: "list", label: words.list }, { id: "map", label: words.map }]} />
          </div>
          <div class="input"><input type="search" aria-label={words.search} placeholder={words.search} value={text} dir="auto" autocomplete="off"
            onInput={(event) => setText((event.target as HTMLInputElement).value)} /></div>
          {fault !== undefined && (
            <Note tone="warning" live>{textOf(fault)}
              {fault instanceof Problem && fault.slug === "payment-method-required" && <> <a href={to("wallet/cards")}>{words.needsCard}</a></>}
            </Note>
          )}
          {view === "map" && <NearbyMap market={id} at={place} />}
          <Loaded of={free.first} skeleton={<Skeleton kind="card" rows={3} />}>
            {() => !free.items?.length ? (
              <Empty icon="search" title={isFiltered ? words.noneMatch : words.noneFree} text={isFiltered ? undefined : words.noneFreeText}>
                {isFiltered ? <Button kind="second" onTap={clear}>{words.clearFilter}</Button> : <Button kind="second" onTap={reload}>{words.refresh}</Button>}
              </Empty>
            ) : (
              <>
                <ul class="providers">
                  {free.items.map((one) => (
                    <Provider key={one.provider} one={one} services={all ?? []} currency={market?.currency ?? "SAR"} busy={asking === one.provider} isOff={asking !== undefined && asking !== one.provider} onAsk={() => void ask(one)} />
                  ))}
                </ul>
                <More of={free} />
                <p class="hint center">{words.payLater}</p>
              </>
            )}
          </Loaded>
        </>
      )}
    </Screen>
  );
};

export default Providers;
