import type { Component } from "preact";
import { useState } from "preact";
import { go, place } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Button, Icon, Screen } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { start } from "../login/arrive";
import { words } from "./words";

type Name = "assef" | "edencare" | "btnc" | "carrepsa" | "hajji";
const pictures: Record<Name, [string, string]> = {
  assef: ["care", "map"], edencare: ["calendar", "people"], btnc: ["car", "map"], carrepsa: ["parcel", "shield"], hajji: ["map", "people"],
};

/** What the market does, in three pictures; at the first log-in, and again from the settings. */
const Tour: Component<ScreenProperties> = () => {
  const market = place.get().market as Name;
  const [at, setAt] = useState(0);
  const pages = [
    { icon: pictures[market][0], title: words[`${market}1`], text: words[`${market}1Text`] },
    { icon: pictures[market][1], title: words[`${market}2`], text: words[`${market}2Text`] },
    ...(market === "hajji" ? [] : [{ icon: "wallet", title: words.money, text: words.moneyText }]),
  ];
  const end = (): void => {
    localStorage.setItem("serai-toured", "yes");
    go(session.get().state === "in" ? start() : "welcome", { replace: true });
  };
  const page = pages[at];
  const isLast = at === pages.length - 1;
  return (
    <Screen title={words.title} plain end={!isLast && <Button kind="quiet" small onTap={end}>{words.skip}</Button>}
      footer={<Button onTap={() => (isLast ? end() : setAt(at + 1))}>{isLast ? words.start : words.next}</Button>}>
      <div class="tour grow" aria-live="polite">
        <div class="tour-picture"><Icon name={page.icon} size={72} /></div>
        <h2 class="display">{page.title}</h2>
        <p class="muted">{page.text}</p>
      </div>
      <div class="tour-dots" aria-hidden="true">{pages.map((_, index) => <span key={index} class={index === at ? "on" : ""} />)}</div>
    </Screen>
  );
};

export default Tour;
