import type { Component } from "preact";
import { useCell } from "../../../shared/cell";
import { duration, time } from "../../../shared/format";
import { marketName } from "../../../shared/market";
import { place, to } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Button, Card, Icon, Screen, useSecondsLeft } from "../../../shared/ui";
import { Asks } from "../../asks";
import { words as login } from "../login/words";
import { LanguageChoice } from "../welcome/index";
import { useCities, useCity } from "./city";
import { useNextPrayer } from "./next-prayer";
import { prayerName } from "./prayers";
import { words } from "./words";

/** The nine sections of the pilgrims' start. */
const sections: { path: string; icon: string; label: () => string }[] = [
  { path: "help/news", icon: "inbox", label: () => words.news },
  { path: "help/fatawa", icon: "chat", label: () => words.fatawa },
  { path: "guide/weather", icon: "sun", label: () => words.weather },
  { path: "guide/prayer", icon: "clock", label: () => words.prayer },
  { path: "help/contacts", icon: "phone", label: () => words.contacts },
  { path: "help/rituals", icon: "document", label: () => words.rituals },
  { path: "find", icon: "map", label: () => words.maps },
  { path: "find?to=", icon: "walk", label: () => words.routing },
  { path: "friends", icon: "people", label: () => words.tracking },
];

/** The prayer that begins next in the chosen city, and in how long. */
const NextPrayer: Component = () => {
  const city = useCity();
  const name = useCities().value?.items.find((one) => one.id === city)?.name ?? "";
  const next = useNextPrayer({ city });
  const seconds = useSecondsLeft(next?.time);
  if (!next || seconds <= 0) return null;
  return (
    <Card href={to("guide/prayer")} tone="accent">
      <span class="line">
        <Icon name="clock" />
        <span class="row-text">
          <span class="row-title">{words.nextIs(prayerName(next.prayer), time(next.time))}</span>
          <span class="row-detail">{[name, words.leftIn(duration(seconds))].filter(Boolean).join(" · ")}</span>
        </span>
        <Icon name="chevron" mirrored size={20} />
      </span>
    </Card>
  );
};

export const Home: Component = () => {
  const isIn = useCell(session).state !== "out";
  return (
    <Screen title={marketName(place.get().market)} wide end={<LanguageChoice />}>
      {isIn && <Asks />}
      <NextPrayer />
      <ul class="tiles" aria-label={words.sections}>
        {sections.map((one) => (
          <li key={one.path}><a class="card tappable" href={to(one.path)}><span class="row-icon"><Icon name={one.icon} /></span><span>{one.label()}</span></a></li>
        ))}
      </ul>
      {!isIn && (
        <div class="actions">
          <p class="muted center">{words.account}</p>
          <Button href={to("register")}>{login.create}</Button>
          <Button kind="second" href={to("login")}>{login.logIn}</Button>
        </div>
      )}
    </Screen>
  );
};
