import type { Component } from "preact";
import { useEffect, useErrorBoundary } from "preact";
import { isOnline } from "../shared/api/connection";
import { useCell } from "../shared/cell";
import { language } from "../shared/language";
import { lookOf, marketIds, marketName, useMarket, useMode } from "../shared/market";
import { go, match, place, to, usePlace } from "../shared/router";
import { session } from "../shared/session";
import { waiting } from "../shared/waiting";
import { localized } from "../shared/words";
import { Button, Empty, Icon, List, Overlays, Row, Screen, Skeleton } from "../shared/ui";
import { Feature, features } from "./features";
import { Nav } from "./nav";
import { isNewer, update } from "./versions";
import { lazy, NotFetched, usePart } from "../shared/lazy";
import { tabsOf } from "./tabs";
import { words } from "./words";

/** Requests that a provider is to answer, over whatever is open. */
const Offers = lazy(() => import("./features/work/offers"), true);
const LogInAgain = lazy(() => import("./again"), true);

/** A market's own screen goes before that of all markets. */
function find(path: string, market: string): { feature: Feature; params: Record<string, string> } | undefined {
  for (const owner of [market, undefined]) {
    for (const feature of features) {
      const params = feature.market === owner ? match(feature.path, path) : undefined;
      if (params) return { feature, params };
    }
  }
  return undefined;
}

/** Fetches screens before somebody opens them. */
function prepare(paths: string[], market: string): void {
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1500));
  idle(() => paths.map((path) => find(path, market)).forEach((found) => { if (found && !found.feature.module) void found.feature.load().catch(() => undefined); }));
}

/** A screen of a feature, as soon as it is here. */
const Loading: Component<{ feature: Feature; params: Record<string, string>; query: URLSearchParams }> = ({ feature, params, query }) => {
  const part = usePart(feature.load, feature.module);
  if (part.found) {
    const Shown = part.found.default;
    return <Shown params={params} query={query} />;
  }
  if (part.error) return <Screen title={words.notHere} quiet back=""><NotFetched of={part} /></Screen>;
  return <main class="screen" aria-busy="true"><div class="screen-head" /><Skeleton rows={4} /></main>;
};

const Missing: Component = () => (
  <Screen title={words.missing} quiet><Empty icon="search" title={words.missing} text={words.missingText}><Button href={to("")}>{words.home}</Button></Empty></Screen>
);

/** For the address without a market. */
const Markets: Component = () => (
  <Screen title={words.markets}>
    <List>{marketIds.map((id) => <Row key={id} title={marketName(id)} detail={localized(lookOf(id).tagline)} href={`/${id}/`} />)}</List>
  </Screen>
);

const Bars: Component = () => {
  const online = useCell(isOnline);
  const acts = useCell(waiting).filter((one) => one.error === undefined);
  const newer = useCell(isNewer);
  if (!online) return <div class="bar" role="status"><Icon name="offline" size={20} />{words.offline}{acts.length > 0 && <> · {words.waiting(acts.length)}</>}</div>;
  if (newer) return <div class="bar" role="status">{words.newVersion}<button type="button" onClick={update}>{words.update}</button></div>;
  return null;
};

/** A screen that fails takes only itself away. */
const Guarded: Component = ({ children }) => {
  const [error, reset] = useErrorBoundary((found) => console.error(found));
  useEffect(() => place.follow(reset), []);
  if (!error) return <>{children}</>;
  return <main class="screen"><Empty icon="warning" title={words.broken} text={words.brokenText}><Button onTap={() => location.reload()}>{words.reload}</Button></Empty></main>;
};

const Page: Component = () => {
  const here = usePlace();
  const { state } = useCell(session);
  const mode = useMode();
  useMarket();
  const tabs = tabsOf(here.market, mode);
  const found = find(here.path, here.market);
  const isOut = state === "out";
  // Whoever is not logged in begins with the welcome, where the start is not open to everybody; whoever works begins with his work.
  const isClosed = isOut && found?.feature.for === "account";
  const elsewhere = here.path === "" ? (isClosed ? "welcome" : isOut ? undefined : tabs[0].path || undefined)
    : isClosed ? `login?to=${encodeURIComponent(here.path + location.search)}` : undefined;
  useEffect(() => {
    if (elsewhere !== undefined && here.market) go(elsewhere, { replace: true });
  }, [elsewhere]);
  useEffect(() => {
    if (!isOut) prepare(tabs.map((tab) => tab.path), here.market);
    else prepare(["login", "register"], here.market);
  }, [isOut, mode, here.market]);
  if (!here.market && (here.path === "" || elsewhere !== undefined)) return <Markets />;
  if (elsewhere !== undefined) return <main class="screen" aria-busy="true" />;
  const tabbed = (!found || found.feature.tabbed) && !isOut;
  return (
    <>
      <div class={tabbed ? "app tabbed" : "app"}>
        <Guarded>
          {found ? <Loading key={`${found.feature.market} ${found.feature.path}`} feature={found.feature} params={found.params} query={here.query} /> : <Missing />}
        </Guarded>
      </div>
      {tabbed && <Nav tabs={tabs} path={here.path} />}
      {!isOut && here.market && (mode === "provider" || mode === "driver") && <Offers key={here.market} />}
    </>
  );
};

export const App: Component = () => {
  const tongue = useCell(language);
  const { market } = usePlace();
  const { state } = useCell(session);
  document.documentElement.dataset.market = market;
  return (
    <>
      <Bars key={`bars ${tongue}`} />
      <Page key={`${tongue} ${market}`} />
      {state === "ended" && <LogInAgain key={`again ${tongue}`} />}
      <Overlays key={`overlays ${tongue}`} />
    </>
  );
};
