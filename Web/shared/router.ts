import { useCell, Cell } from "./cell";

/** Where the person is: `/{market}/{path}?{query}`, behind the app's own beginning where it has one (`/console`). Links of mails name no market: then it is the last one that was open. */
export interface Place {
  market: string;
  path: string;
  query: URLSearchParams;
}

const kept = "serai-market";
let markets: readonly string[] = [];
let base = "";

function read(): Place {
  const parts = location.pathname.slice(base.length).split("/").filter(Boolean).map(decodeURIComponent);
  const query = new URLSearchParams(location.search);
  if (markets.includes(parts[0])) return { market: parts[0], path: parts.slice(1).join("/"), query };
  const last = localStorage.getItem(kept) ?? "";
  return { market: markets.includes(last) ? last : "", path: parts.join("/"), query };
}

export const place = new Cell<Place>({ market: "", path: "", query: new URLSearchParams() });
export const usePlace = (): Place => useCell(place);

/** Before each move: whether the page should be loaded anew instead, since a newer version waits. */
let reloads: () => boolean = () => false;
export const setReloads = (decide: () => boolean): void => {
  reloads = decide;
};

/** The address of a path in the open market; one that begins with a slash stays, but for `//`, which would be another host. Without a
 * market, as on a phone where a mail was opened first, it is the list of markets. */
export const to = (path: string, market: string = place.get().market): string =>
  /^\/(?![/\\])/.test(path) ? path : market ? `${base}/${market}/${path}` : `${base}/`;

/** How many moves inside the app lie behind this page, so that "back" never leaves it. */
const depth = (): number => (history.state as { depth?: number } | null)?.depth ?? 0;

/** `stays`: what is scrolled stays so, as when a list is filtered or something of it opens beside it. */
export function go(path: string, options: { replace?: boolean; stays?: boolean } = {}): void {
  const url = to(path);
  if (url === location.pathname + location.search + location.hash) return;
  if (reloads()) {
    location.assign(url);
    return;
  }
  (history.state === null || typeof history.state === "object") &&
    history.replaceState({ ...(history.state as object), scroll: scrollY, depth: depth() }, "");
  if (options.replace) history.replaceState({ depth: depth() }, "", url);
  else history.pushState({ depth: depth() + 1 }, "", url);
  arrive(options.stays ? scrollY : 0);
}

/** One step back inside the app, or to the path where there is none. */
export function back(fallback: string): void {
  if (depth() > 0) history.back();
  else go(fallback, { replace: true });
}

function arrive(scroll: number): void {
  const next = read();
  if (next.market) localStorage.setItem(kept, next.market);
  place.set(next);
  // After the screen is there.
  requestAnimationFrame(() => scrollTo(0, scroll));
}

/** Follows links of the page and the browser's own buttons. A link with `data-stays` moves as `go` does with `stays`. */
export function followPlace(known: readonly string[], beginning = ""): void {
  markets = known;
  base = beginning;
  history.scrollRestoration = "manual";
  addEventListener("popstate", () => arrive((history.state as { scroll?: number } | null)?.scroll ?? 0));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.("a");
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download")) return;
    if (link.hash && link.pathname === location.pathname) return;
    const inside = link.pathname.slice(base.length);
    if (!link.pathname.startsWith(`${base}/`) || (!markets.includes(inside.split("/")[1]) && inside !== "/")) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash, { stays: link.dataset.stays !== undefined });
  });
  const next = read();
  if (next.market) localStorage.setItem(kept, next.market);
  place.set(next);
}

/** What a pattern such as `o/:order` says of a path; undefined where it is another. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, found] = [pattern.split("/"), path.split("/")];
  if (wanted[wanted.length - 1] === "*" ? found.length < wanted.length - 1 : wanted.length !== found.length) return undefined;
  const values: Record<string, string> = {};
  for (let index = 0; index < wanted.length; index++) {
    if (wanted[index] === "*") values.rest = found.slice(index).join("/");
    else if (wanted[index].startsWith(":")) values[wanted[index].slice(1)] = found[index];
    else if (wanted[index] !== found[index]) return undefined;
  }
  return values;
}
