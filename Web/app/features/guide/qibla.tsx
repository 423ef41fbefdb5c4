import type { Component } from "preact";
import { useHere } from "../../../shared/device/here";
import { number } from "../../../shared/format";
import { Button, Note, Screen } from "../../../shared/ui";
import { CityChoice, useCities, useCity } from "./city";
import { qiblaFrom, useCompass } from "./compass";
import { words } from "./words";

/** How near the phone points to it before it says so. */
const nearDegrees = 5;

/** The direction of the Kaaba: by the phone's compass where it has one, else in degrees from north. */
export const Qibla: Component = () => {
  const here = useHere();
  const { items = [] } = useCities().value ?? {};
  const city = useCity();
  const compass = useCompass();
  const from = here.at ?? items.find((one) => one.id === city);
  const qibla = from && qiblaFrom(from);
  const turn = qibla !== undefined && compass.heading !== undefined ? (qibla - compass.heading + 540) % 360 - 180 : undefined;
  return (
    <Screen title={words.qibla} back="guide/prayer">
      {!here.at && <CityChoice />}
      {qibla !== undefined && (
        <div class="center stack">
          <svg class="qibla" viewBox="0 0 24 24" aria-hidden="true" style={{ transform: `rotate(${turn ?? qibla}deg)` }}><path fill="currentColor" d="M12 2l7 19-7-4-7 4z" /></svg>
          <p class="amount" dir="ltr">{number(qibla, 1)}°</p>
          <p role="status">{turn === undefined ? words.fromNorth : Math.abs(turn) <= nearDegrees ? words.facing : turn > 0 ? words.turnRight : words.turnLeft}</p>
          <p class="muted">{here.at ? words.fromHere : words.fromCity}</p>
        </div>
      )}
      {compass.asks && <Button icon="locate" onTap={() => void compass.start()}>{words.useCompass}</Button>}
      {!here.at && <Button kind="second" icon="pin" busy={here.isLooking} onTap={() => void here.find()}>{words.myPlace}</Button>}
      {here.failure && <Note tone="warning" live>{here.failure}</Note>}
      <p class="hint">{compass.heading === undefined ? words.noCompass : words.compassHint}</p>
    </Screen>
  );
};
