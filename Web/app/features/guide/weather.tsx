import type { Component } from "preact";
import { ago, dayName, number } from "../../../shared/format";
import { useGet } from "../../../shared/resources";
import { Card, List, Loaded, Note, Row, Screen, Section } from "../../../shared/ui";
import { CityChoice, useCity } from "./city";
import { words } from "./words";

type Condition = "clear" | "partlyCloudy" | "overcast" | "fog" | "drizzle" | "rain" | "freezingRain" | "snow" | "showers" | "snowShowers" | "thunderstorm" | "unknown";
const conditions: Condition[] = ["clear", "partlyCloudy", "overcast", "fog", "drizzle", "rain", "freezingRain", "snow", "showers", "snowShowers", "thunderstorm"];
const nameOf = (condition: string): string => words[conditions.includes(condition as Condition) ? (condition as Condition) : "unknown"];
const degrees = (value: number): string => `${number(value)}\u00a0°C`;

/** The weather of the chosen city, now and in the next days. */
export const Weather: Component = () => {
  const weather = useGet("/admin/v1/guide/weather", { city: useCity() });
  return (
    <Screen title={words.weather} back="">
      <CityChoice />
      <Loaded of={weather}>
        {(found) => (
          <>
            {found.stale && <Note tone="warning" live>{words.stale(ago(found.readAt))}</Note>}
            <Card>
              <div class="center stack">
                <p class="amount"><bdi dir="ltr">{degrees(found.temperature)}</bdi></p>
                <p>{nameOf(found.condition)}</p>
                <p class="muted">{words.feels(degrees(found.feelsLike))} · {words.humidity(number(found.humidityPercent))} · {words.wind(number(found.windKilometresPerHour))}</p>
              </div>
            </Card>
            <Section title={words.days}>
              <List label={words.days}>
                {found.days.map((one) => (
                  <Row key={one.day} title={dayName(one.day)} detail={nameOf(one.condition)}
                    end={<bdi dir="ltr">{`${number(one.lowest)}–${degrees(one.highest)}`}</bdi>} />
                ))}
              </List>
            </Section>
            <p class="hint center"><bdi dir="ltr">{found.attribution}</bdi></p>
          </>
        )}
      </Loaded>
    </Screen>
  );
};
