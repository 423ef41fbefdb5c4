import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { isOnline } from "../shared/api/connection";
import { useCell } from "../shared/cell";
import { latinDigits } from "../shared/format";
import { chooseLanguage, language } from "../shared/language";
import { marketName } from "../shared/market";
import { go, place, to, usePlace } from "../shared/router";
import { logOut } from "../shared/session";
import { Icon, IconButton, Sheet } from "../shared/ui";
import { Mark } from "../app/nav";
import { countText, useCounts } from "./counts";
import { isListed } from "./keys";
import { setPrivateFilter } from "./kit/filters";
import { family, groupName, groups, isThere, pageOf, pages, pageTitle } from "./pages";
import { Rank, useMay } from "./rights";
import { words } from "./words";

const rankName = (rank: Rank): string => (rank === "master" ? words.master : rank === "admin" ? words.admin : words.support);

/** An e-mail address, or a mobile number with its country code, in the digits of any script. */
const isContact = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text) || /^(\+|00)[\d\s().-]{7,}$/.test(latinDigits(text));

/** The one search of the console: numbers of orders, cash-outs and reports, names, and how people are reached. */
const Search: Component = () => {
  const here = usePlace();
  const [text, setText] = useState("");
  const asked = here.path === "search" ? here.query.get("q") ?? "" : "";
  useEffect(() => setText(asked), [asked]);
  return (
    <form class="find" role="search" onSubmit={(event) => {
      event.preventDefault();
      const sought = text.trim();
      if (isContact(sought)) {
        setPrivateFilter("contact", sought);
        setText("");
        go("people");
      } else if (sought) {
        go(`search?q=${encodeURIComponent(sought)}`);
      }
    }}>
      <Icon name="search" size={18} />
      <input data-search type="search" dir="auto" aria-label={words.search} placeholder={words.searchHint} value={text} maxLength={254}
        onInput={(event) => setText((event.target as HTMLInputElement).value)} />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
};

/** What stands over every page: market, search, language, and the way out. */
export const Head: Component<{ markets: string[]; rank: Rank }> = ({ markets, rank }) => {
  const { market, path } = usePlace();
  const online = useCell(isOnline);
  return (
    <header class="head">
      <div class="head-line">
        <button type="button" class="icon-button menu" aria-label={words.menu} aria-controls="rail" onClick={() => document.body.classList.toggle("rail-open")}><Icon name="menu" /></button>
        <Mark market={market} small />
        {markets.length > 1 ? (
          <select class="form-select market" aria-label={words.market} value={market}
            onChange={(event) => go(to(path.split("/")[0], (event.target as HTMLSelectElement).value))}>
            {markets.map((id) => <option key={id} value={id}>{marketName(id)}</option>)}
          </select>
        ) : <strong>{marketName(market)}</strong>}
        <Search />
        <span class="rank muted">{rankName(rank)}</span>
        <button type="button" class="btn btn-sm btn-light" lang={language.get() === "ar" ? "en" : "ar"} onClick={() => chooseLanguage(language.get() === "ar" ? "en" : "ar")}>{words.language}</button>
        <span class="head-end">
          <IconButton icon="info" label={words.keys} onTap={() => isListed.set(true)} />
          <IconButton icon="logout" label={words.logOut} mirrored onTap={() => void logOut()} />
        </span>
      </div>
      {!online && <div class="bar" role="status"><Icon name="offline" size={18} />{words.offline}</div>}
    </header>
  );
};

/** The pages by job, with what waits on them. Behind a button on small screens. */
export const Rail: Component<{ path: string }> = ({ path }) => {
  const { market } = usePlace();
  const counts = useCounts();
  const mayMaster = useMay("master");
  useEffect(() => place.follow(() => document.body.classList.remove("rail-open")), []);
  const shown = pages.filter((page) => page.group && isThere(page, market) && (page.needs !== "master" || mayMaster));
  const here = pageOf(path);
  const current = here?.under ?? here?.path;
  return (
    <nav id="rail" class="rail" aria-label={words.rail}>
      {groups.map((group) => {
        const own = shown.filter((page) => page.group === group);
        return own.length === 0 ? null : (
          <section key={group} aria-label={groupName(group)}>
            <h2 aria-hidden="true">{groupName(group)}</h2>
            <ul>
              {own.map((page) => {
                const waiting = family(page).reduce((sum, one) => sum + ((one.count && isThere(one, market) && counts[one.count]) || 0), 0);
                return (
                  <li key={page.path}>
                    <a href={to(page.path)} aria-current={page.path === current ? "page" : undefined} aria-keyshortcuts={page.key && `g ${page.key}`}>
                      <span>{pageTitle(page)}</span>{waiting ? <span class="count">{countText(waiting)}</span> : null}
                    </a>
                  </li>
                );
              })}
            </ul>
          </section>
        );
      })}
    </nav>
  );
};

/** What the keys do, over the page. */
export const KeyList: Component = () => {
  const shown = useCell(isListed);
  const { market } = usePlace();
  if (!shown) return null;
  const lines: [string, string][] = [
    ["/", words.keySearch], ["j k ↓ ↑", words.keyMove], ["Enter", words.keyOpen], ["Esc", words.keyClose], ["?", words.keyList],
    ...pages.filter((page) => page.key && isThere(page, market)).map((page): [string, string] => [`g ${page.key}`, words.goTo(pageTitle(page))]),
  ];
  return (
    <Sheet title={words.keys} onClose={() => isListed.set(false)}>
      <dl class="keys">{lines.map(([key, text]) => <><dt><kbd dir="ltr">{key}</kbd></dt><dd>{text}</dd></>)}</dl>
    </Sheet>
  );
};
