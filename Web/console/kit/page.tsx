import type { Children, Component } from "preact";
import { createContext, useContext, useEffect, useLayoutEffect, useRef } from "preact";
import { textOf } from "../../shared/api/problem";
import { marketName } from "../../shared/market";
import type { Resource } from "../../shared/resources";
import { go, to, usePlace } from "../../shared/router";
import { Button, Empty, Icon, Skeleton, uiWords } from "../../shared/ui";
import { countText, useCounts } from "../counts";
import { family, isThere, pageOf, pageTitle } from "../pages";
import { useMay } from "../rights";
import { words } from "./words";

/** A page: its title, its acts, and what it shows. */
export const Page: Component<{ title: string; acts?: Children; intro?: string }> = ({ title, acts, intro, children }) => {
  const { market } = usePlace();
  const heading = useRef<HTMLHeadingElement | null>(null);
  useLayoutEffect(() => {
    document.title = `${title} · ${marketName(market)}`;
  }, [title, market]);
  // Screen readers begin with the title of the new page.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest(".rail")) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div class="page-head"><h1 ref={heading} tabIndex={-1}>{title}</h1>{acts && <div class="page-acts">{acts}</div>}</div>
      <Siblings />
      {intro && <p class="page-intro muted">{intro}</p>}
      {children}
    </>
  );
};

/** Links to the pages that belong together with this one. */
const Siblings: Component = () => {
  const { market, path } = usePlace();
  const counts = useCounts();
  const mayMaster = useMay("master");
  const here = pageOf(path);
  const own = here ? family(here).filter((page) => isThere(page, market) && (page.needs !== "master" || mayMaster)) : [];
  if (!here || own.length < 2) return null;
  return <Sections label={pageTitle(own[0])} items={own.map((page) => ({ path: page.path, label: pageTitle(page), count: page.count && counts[page.count] ? countText(counts[page.count] ?? 0) : undefined }))} />;
};

/** A list with what is open of it beside it; on small screens that covers the list. */
export const Split: Component<{ detail?: Children }> = ({ detail, children }) => (
  <div class={detail ? "split open" : "split"}><div class="split-list">{children}</div>{detail}</div>
);

/** Sections of a page as links: each has an address of its own. */
export const Sections: Component<{ label: string; items: { path: string; label: string; count?: string }[] }> = ({ label, items }) => {
  const { path } = usePlace();
  return (
    <nav aria-label={label}>
      <ul class="nav-sections">
        {items.map((item) => (
          <li key={item.path}>
            <a href={to(item.path)} aria-current={path === item.path || path.startsWith(`${item.path}/`) ? "page" : undefined}>
              {item.label}{item.count && <span class="count">{item.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const Level = createContext("h2");

/** What is open of a list. `back` is the list's path; its filters stay. */
export function Detail<T>({ title, back, of, acts, children }: {
  title: Children; back: string; of: Resource<T> & { reload: () => Promise<void> }; acts?: (value: T) => Children; children: (value: T) => Children;
}): JSX.Element {
  const heading = useRef<HTMLHeadingElement | null>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const close = (): void => go(to(back) + location.search, { stays: true });
  return (
    <aside class="detail" aria-labelledby="detail-title">
      <div class="detail-head">
        <h2 id="detail-title" ref={heading} tabIndex={-1}>{title}</h2>
        <button type="button" class="icon-button" data-close aria-label={words.close} title={words.close} onClick={close}><Icon name="close" /></button>
      </div>
      {of.value === undefined
        ? of.error ? <Failed of={of} /> : <Skeleton rows={5} />
        : <>{acts && <div class="detail-acts">{acts(of.value)}</div>}<Level.Provider value="h3"><div class="detail-body">{children(of.value)}</div></Level.Provider></>}
    </aside>
  );
}

/** Why something could not be read, and the way to try again. */
export const Failed: Component<{ of: { error?: unknown; reload: () => Promise<void> } }> = ({ of }) => (
  <Empty icon="warning" title={textOf(of.error)}><Button kind="second" onTap={() => void of.reload()}>{uiWords.retry}</Button></Empty>
);

/** A part of a page, or of what is open beside its list, with a heading of the level that follows. */
export const Part: Component<{ title: string; end?: Children }> = ({ title, end, children }) => {
  const Heading = useContext(Level) as "h2";
  return <section class="part"><div class="part-head"><Heading>{title}</Heading>{end}</div>{children}</section>;
};
