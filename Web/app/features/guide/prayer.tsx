import type { Component } from "preact";
import { useState } from "preact";
import { dayKey, dayName } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { Badge, Button, Empty, IconButton, List, Loaded, Row, Screen } from "../../../shared/ui";
import { Choice, CityChoice, useCity } from "./city";
import { useNextPrayer } from "./next-prayer";
import { later, Method, methods, prayerName, prayers, prayerTime } from "./prayers";
import { words } from "./words";

const keptMethod = "serai-prayer-method";
const keptMadhab = "serai-prayer-madhab";

const hijriText = ({ year, month, day }: { year: number; month: number; day: number }): string =>
  words.hijri(String(day), words.months.split("|")[month - 1] ?? String(month), String(year));

/** Prayer times of a city and day, by the method that is chosen; the day before and the day after are a tap away. */
export const Prayer: Component = () => {
  const city = useCity();
  const today = dayKey(Date.now());
  const [day, setDay] = useState(today);
  const [method, setMethod] = useState((localStorage.getItem(keptMethod) ?? methods[0]) as Method);
  const [madhab, setMadhab] = useState((localStorage.getItem(keptMadhab) ?? "shafi") as "shafi" | "hanafi");
  const chosen = { city, method: methods.includes(method) ? method : methods[0], madhab };
  const times = useGet("/admin/v1/guide/prayer-times", { ...chosen, date: day });
  const next = useNextPrayer(chosen);
  return (
    <Screen title={words.prayer} back="" end={<IconButton icon="locate" label={words.qibla} href={to("guide/qibla")} />}>
      <CityChoice />
      <div class="line day-bar">
        <IconButton icon="arrow" mirrored label={words.before} onTap={() => setDay(later(day, -1))} />
        <strong class="grow center" role="status">{day === today ? words.today : dayName(day)}</strong>
        <span class="turned"><IconButton icon="arrow" mirrored label={words.after} onTap={() => setDay(later(day, 1))} /></span>
      </div>
      <Loaded of={times}>
        {({ days: [shown], timeZone }) => (
          <>
            {shown.hijri && <p class="muted center">{hijriText(shown.hijri)}</p>}
            {shown.times ? (
              <List label={words.prayer}>
                {prayers.map((name) => (
                  <Row key={name} icon={name === "sunrise" ? "sun" : "clock"} title={prayerName(name)} current={next?.day === day && next.prayer === name}
                    end={<>{next?.day === day && next.prayer === name && <Badge tone="accent">{words.next}</Badge>} <strong>{prayerTime(shown.times?.[name] ?? "", timeZone)}</strong></>} />
                ))}
              </List>
            ) : <Empty icon="sun" title={words.noTimes} />}
          </>
        )}
      </Loaded>
      <details class="fold">
        <summary>{words.method}</summary>
        <div class="stack">
          <Choice label={words.method} value={chosen.method} options={methods.map((id) => ({ id, name: words[id] }))}
            onChoose={(id) => { localStorage.setItem(keptMethod, id); setMethod(id as Method); }} />
          <Choice label={words.asrBy} value={madhab} options={[{ id: "shafi", name: words.shafi }, { id: "hanafi", name: words.hanafi }]}
            onChoose={(id) => { localStorage.setItem(keptMadhab, id); setMadhab(id as "shafi"); }} />
        </div>
      </details>
      <Button kind="second" icon="locate" href={to("guide/qibla")}>{words.qibla}</Button>
      <p class="hint">{words.saudiTime}</p>
    </Screen>
  );
};
