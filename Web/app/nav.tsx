import type { Component } from "preact";
import { useRef, useState } from "preact";
import { useCell } from "../shared/cell";
import { chooseMode, lookOf, marketName, modesIn, useMode } from "../shared/market";
import { useGet } from "../shared/resources";
import { go, place, to } from "../shared/router";
import { session } from "../shared/session";
import { Icon, List, Row, Sheet } from "../shared/ui";
import { modeName } from "./roles";
import type { Tab } from "./tabs";
import { words } from "./words";

/** The market's mark on its colour. */
export const Mark: Component<{ market: string; small?: boolean }> = ({ market, small }) => (
  <span class={small ? "brand-mark small" : "brand-mark"} aria-hidden="true">
    <svg width={small ? 24 : 52} height={small ? 24 : 52} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">
      <path d={lookOf(market)?.icon ?? ""} />
    </svg>
  </span>
);

/** Chooses as what the app is used. */
export const ModeSheet: Component<{ onClose: () => void }> = ({ onClose }) => {
  const { market } = place.get();
  const mode = useMode();
  return (
    <Sheet title={words.modes} onClose={onClose}>
      <List>
        {modesIn(market, session.get().roles).map((one) => (
          <Row key={one} title={modeName(one)} current={one === mode} end={one === mode ? <Icon name="check" /> : undefined}
            onTap={() => { chooseMode(market, one); onClose(); go(""); }} />
        ))}
      </List>
    </Sheet>
  );
};

/** The tabs: at the bottom, within the thumb's reach; at the side of large screens. A long press on the last one switches the mode. */
export const Nav: Component<{ tabs: Tab[]; path: string }> = ({ tabs, path }) => {
  const unread = useGet("/notifications/v1/inbox/unread", {}, ["inbox"]).value?.count ?? 0;
  const said = useGet("/notifications/v1/messages/unread", {}, ["talks"]).value?.count ?? 0;
  const { roles } = useCell(session);
  const [isChoosing, setChoosing] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const market = place.get().market;
  const canSwitch = modesIn(market, roles).length > 1;
  const press = {
    onPointerDown: () => { if (canSwitch) timer.current = setTimeout(() => setChoosing(true), 550); },
    onPointerUp: () => clearTimeout(timer.current),
    onPointerCancel: () => clearTimeout(timer.current),
    onContextMenu: (event: MouseEvent) => { if (canSwitch) event.preventDefault(); },
  };
  const current = tabs.find((tab) => tab.path === path) ?? tabs.find((tab) => tab.path && path.startsWith(`${tab.path}/`));
  // What is said about orders is read from their pages.
  const talking = tabs.find((tab) => tab.path === "orders") ?? tabs[0];
  return (
    <nav class="nav" aria-label={words.tabs}>
      <div class="nav-brand"><Mark market={market} small />{marketName(market)}</div>
      <ul>
        {tabs.map((tab) => ({ ...tab, unread: tab.path === "inbox" ? unread : tab.path === talking.path ? said : 0 })).map((tab) => (
          <li key={tab.path}>
            <a href={to(tab.path)} aria-current={tab.path === current?.path ? "page" : undefined} {...(tab.path === "me" ? press : {})}>
              <span class="nav-icon">
                <Icon name={tab.icon} />
                {tab.unread > 0 && <span class="nav-dot"><span aria-hidden="true">{tab.unread > 99 ? "99+" : tab.unread}</span></span>}
              </span>
              <span>{tab.label}{tab.unread > 0 && <span class="hidden">, {words.unread(tab.unread)}</span>}</span>
            </a>
          </li>
        ))}
      </ul>
      {isChoosing && <ModeSheet onClose={() => setChoosing(false)} />}
    </nav>
  );
};
