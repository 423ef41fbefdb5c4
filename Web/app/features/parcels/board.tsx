import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { Coordinates, currentPosition, mayReadPosition } from "../../../shared/device/position";
import { distance } from "../../../shared/format";
import { useKept } from "../../../shared/kept";
import { MapView } from "../../../shared/map";
import { middle } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { More, usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { go, to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { useCell } from "../../../shared/cell";
import { ask, Button, Card, Empty, IconButton, List, Loaded, Note, Row, Screen, Section, Tabs } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Asks } from "../../asks";
import type { ScreenProperties } from "../../features";
import { BoardFilter, FilterSheet, noFilter, parametersOf } from "./filter";
import { take } from "../order/kinds/parcel";
import { viewOf } from "../order/kind";
import { Along } from "./along";
import { ItemRow, lineOf, payOf } from "./item";
import { words } from "./board-words";

type Item = { order: Dispatch.Order; metresAway?: number };

const awayOf = ({ metresAway }: Item): string | undefined => (metresAway === undefined ? undefined : words.away(distance(metresAway)));

/** Takes a parcel from its card, with the same question as on its page. */
const Take: Component<{ order: Dispatch.Order }> = ({ order }) => {
  const { market } = useMarket();
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const view = viewOf(order, market);
  const accept = async (): Promise<void> => {
    const asked = take.asks?.(view);
    if (asked && !(await ask({ ...asked, yes: asked.yes ?? take.label(view) }))) return;
    setState({ isBusy: true });
    try {
      await take.run?.(view);
      // Somebody else may have been faster: that was said, and the board shows it no more.
      const now = await api.get("/dispatch/v1/orders/{id}", { id: order.order });
      if (now.state !== "requested") go(`o/${order.order}`);
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <>
      {state.error !== undefined && <Note tone="warning" live>{textOf(state.error)}</Note>}
      <Button icon="check" busy={state.isBusy} onTap={() => void accept()}>{take.label(view)}</Button>
    </>
  );
};

/** Each parcel a pin where it begins. A tapped one shows its card and where it goes. */
const BoardMap: Component<{ items: Item[]; centre: Coordinates; canTake: boolean }> = ({ items, centre, canTake }) => {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const item = items.find((one) => one.order.order === chosen);
  const markers = [
    { id: "centre", at: centre, label: words.here, look: "here" as const },
    ...items.map((one) => ({
      id: one.order.order, at: one.order.place, icon: "parcel", onTap: () => setChosen(one.order.order),
      label: [isolate(one.order.parcel?.name ?? ""), payOf(one.order)].join(", "),
    })),
    ...(item?.order.destination ? [{ id: "goal", at: item.order.destination, label: words.to, icon: "flag" }] : []),
  ];
  return (
    <div class="stack">
      <MapView centre={centre} markers={markers} line={item?.order.destination && [item.order.place, item.order.destination]} fits tall />
      {item && (
        <Card tone="accent">
          <span class="line between"><strong><bdi>{item.order.parcel?.name}</bdi></strong><strong>{payOf(item.order)}</strong></span>
          <p class="muted">{lineOf(item.order, awayOf(item))}</p>
          {canTake && <Take key={item.order.order} order={item.order} />}
          <Button kind={canTake ? "second" : "primary"} href={to(`o/${item.order.order}`)}>{words.open}</Button>
        </Card>
      )}
    </div>
  );
};

/** What the carrier has already: those come first. */
const Mine: Component<{ market: string }> = ({ market }) => {
  const orders = useGet("/dispatch/v1/orders", { role: "provider", section: "active", limit: 20 }, ["orders"]);
  const items = orders.value?.items.filter((order) => order.market === market) ?? [];
  if (!items.length) return null;
  return (
    <Section title={words.mine}>
      <List>{items.map((order) => (
        <Row key={order.order} icon="parcel" title={<bdi>{order.parcel?.name ?? order.label}</bdi>} detail={order.label} href={to(`o/${order.order}`)} />
      ))}</List>
    </Section>
  );
};

/** Around where: what was chosen, else where the phone is, else the middle of the first city, or of the market. */
function useCentre(filter: BoardFilter): Coordinates | undefined {
  const { id, market } = useMarket();
  const cities = useGet("/dispatch/v1/markets/{market}/cities", { market: id });
  const [here, setHere] = useState<Coordinates | undefined | "none">(undefined);
  useEffect(() => {
    if (filter.place) return;
    void mayReadPosition().then((may) => (may ? currentPosition() : Promise.reject(new Error()))).then((found) => setHere({ latitude: found.latitude, longitude: found.longitude }), () => setHere("none"));
  }, [filter.place === undefined]);
  if (filter.place || here !== "none") return filter.place ?? (here as Coordinates | undefined);
  return cities.value?.items[0] ?? (cities.value || cities.error ? middle(market?.settings.serviceArea) : undefined);
}

/** What can be carried: near a place, as a list or on a map, filtered and sorted. */
const Board: Component<ScreenProperties> = ({ query }) => {
  const { id, market } = useMarket();
  const { roles } = useCell(session);
  const [kept, keep] = useKept<BoardFilter>("board");
  const filter = kept ?? noFilter;
  const [isChoosing, setChoosing] = useState(false);
  const centre = useCentre(filter);
  const isEverywhere = filter.radius === "all";
  const around = centre && !(isEverywhere && filter.sort !== "near") ? { latitude: centre.latitude, longitude: centre.longitude } : {};
  const board = usePages("/dispatch/v1/markets/{market}/board", centre ? { market: id, ...around, ...parametersOf(filter), limit: 30 } : null, ["board", "orders"], (item) => item.order.order);
  const items = board.items ?? [];
  const view = query.get("view") ?? "list";
  const isVerified = roles.some((role) => role.market === id && role.role === "provider" && role.state === "verified");
  return (
    <Screen title={words.board} wide end={(
      <>
        <IconButton icon="refresh" label={words.refresh} onTap={() => void board.first.reload()} />
        <IconButton icon="filter" label={words.filter} onTap={() => setChoosing(true)} />
      </>
    )}>
      <Asks />
      {!isVerified && <Note tone="warning">{words.notVerified}</Note>}
      <Mine market={id} />
      <Tabs label={words.view} value={view} onChoose={(next) => go(next === "list" ? "board" : `board?view=${next}`, { replace: true })}
        items={[{ id: "list", label: words.list }, { id: "map", label: words.map }, { id: "along", label: words.along }]} />
      {view === "along" ? <Along market={id} /> : (
        <Loaded of={board.first}>
          {() => (
            <>
              <p class="muted" role="status">{words.found(items.length)}{!isEverywhere && <> · {words.around(filter.place ? isolate(filter.place.name) : words.here)}</>}</p>
              {view === "map" && centre ? <BoardMap items={items} centre={centre} canTake={isVerified} />
                : items.length === 0 ? <Empty icon="parcel" title={words.nothing} text={words.nothingText}><Button kind="second" onTap={() => setChoosing(true)}>{words.filter}</Button></Empty>
                : <List label={words.board}>{items.map((item) => <ItemRow key={item.order.order} order={item.order} away={awayOf(item)} />)}</List>}
              <More of={board}>{words.more}</More>
            </>
          )}
        </Loaded>
      )}
      {isChoosing && <FilterSheet filter={filter} most={market?.settings.searchRadiusMetres ?? 10_000} onClose={() => setChoosing(false)} onChoose={(next) => { keep(next); setChoosing(false); }} />}
    </Screen>
  );
};

export default Board;
