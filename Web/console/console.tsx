import type { Component } from "preact";
import { useEffect, useErrorBoundary } from "preact";
import { useCell } from "../shared/cell";
import { language } from "../shared/language";
import { lazy, NotFetched, usePart } from "../shared/lazy";
import { useMarket } from "../shared/market";
import { go, match, place, to, usePlace } from "../shared/router";
import { session } from "../shared/session";
import { Button, Empty, Overlays, Skeleton } from "../shared/ui";
import { useCounting } from "./counts";
import { Enrol, LogIn, NoRights } from "./entry";
import { Head, KeyList, Rail } from "./frame";
import { Acts } from "./kit/act";
import { isThere, Page, pages, pageTitle } from "./pages";
import { marketsOf, useMay, useRank } from "./rights";
import { words } from "./words";

const LogInAgain = lazy(() => import("../app/again"), true);

function find(path: string, market: string): { page: Page; params: Record<string, string> } | undefined {
  for (const page of pages) {
    if (!isThere(page, market)) continue;
    const params = match(page.path, path) ?? match(`${page.path}/:id`, path) ?? match(`${page.path}/:id/:more`, path);
    if (params) return { page, params };
  }
  return undefined;
}

/** A page that fails takes only itself away. */
const Guarded: Component = ({ children }) => {
  const [error, reset] = useErrorBoundary((found) => console.error(found));
  useEffect(() => place.follow(reset), []);
  if (!error) return <>{children}</>;
  return <Empty icon="warning" title={words.broken} text={words.brokenText}><Button onTap={() => location.reload()}>{words.reload}</Button></Empty>;
};

const Missing: Component = () => (
  <Empty icon="search" title={words.missing} text={words.missingText}><Button href={to("today")}>{words.today}</Button></Empty>
);

/** The page of the address, as soon as it is here. */
const Loading: Component<{ page: Page; params: Record<string, string>; query: URLSearchParams }> = ({ page, params, query }) => {
  const part = usePart(page.load, page.module);
  const mayMaster = useMay("master");
  if (page.needs === "master" && !mayMaster) return <Missing />;
  if (part.found) {
    const Shown = part.found.default;
    return <Shown params={params} query={query} />;
  }
  return part.error ? <NotFetched of={part} /> : <div aria-busy="true" aria-label={pageTitle(page)}><Skeleton rows={6} /></div>;
};

const Inside: Component = () => {
  const here = usePlace();
  const rank = useRank();
  const { roles } = useCell(session);
  const own = marketsOf(roles);
  // Of a market that is not one's own, or of none: the first that is.
  const elsewhere = own.includes(here.market) ? undefined : own[0];
  useEffect(() => {
    if (elsewhere) go(`/console/${elsewhere}/today`, { replace: true });
    else if (!here.path) go("today", { replace: true });
  }, [elsewhere, here.path]);
  useMarket();
  useCounting();
  if (!own.length) return <NoRights />;
  if (elsewhere || !here.path) return null;
  const found = find(here.path, here.market);
  return (
    <div class="console">
      <a class="skip" href="#content" onClick={(event) => { event.preventDefault(); document.getElementById("content")?.focus(); }}>{words.skip}</a>
      <Head markets={own} rank={rank} />
      <Rail path={here.path} />
      <main id="content" tabIndex={-1}>
        <Guarded key={`${here.market} ${found?.page.path}`}>
          {found ? <Loading page={found.page} params={found.params} query={here.query} /> : <Missing />}
        </Guarded>
      </main>
      <KeyList />
    </div>
  );
};

const Door: Component = () => {
  const { state, asks } = useCell(session);
  if (state === "out") return <LogIn />;
  if (asks.includes("second-factor")) return <Enrol />;
  return <Inside />;
};

export const Console: Component = () => {
  const tongue = useCell(language);
  const { market } = usePlace();
  const { state } = useCell(session);
  document.documentElement.dataset.market = market;
  return (
    <>
      <Door key={tongue} />
      {state === "ended" && <LogInAgain key={`again ${tongue}`} />}
      <Acts key={`acts ${tongue}`} />
      <Overlays key={`overlays ${tongue}`} />
    </>
  );
};
