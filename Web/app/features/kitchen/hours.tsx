import type { Component } from "preact";
import { IconButton } from "../../../shared/ui";
import { days, Hours, nameOfDay } from "../food/days";
import { words } from "./words";

/** When a restaurant is usually open: for each day one or several spans, or none. */
export const HoursField: Component<{ value: Hours[]; onChange: (hours: Hours[]) => void }> = ({ value, onChange }) => {
  const change = (old: Hours, part: Partial<Hours>): void => onChange(value.map((one) => (one === old ? { ...one, ...part } : one)));
  const add = (day: Hours["day"]): void => {
    const last = value[value.length - 1];
    onChange([...value, { day, opens: last?.opens ?? "11:00", closes: last?.closes ?? "22:00" }]);
  };
  return (
    <fieldset class="field">
      <legend>{words.hours}</legend>
      <p class="hint">{words.hoursHint}</p>
      <div class="card">
        {days.map((day) => {
          const spans = value.filter((one) => one.day === day);
          return (
            <div key={day} class="hours">
              <div class="line">
                <span class="grow">{nameOfDay(day)}</span>
                {spans.length === 0 && <span class="muted small">{words.closedDay}</span>}
                {spans.length < 3 && <IconButton icon="plus" label={words.addHours(nameOfDay(day))} onTap={() => add(day)} />}
              </div>
              {spans.map((one, index) => (
                <div key={index} class="line" dir="ltr">
                  <input type="time" aria-label={words.opensAt(nameOfDay(day))} value={one.opens}
                    onInput={(event) => change(one, { opens: (event.target as HTMLInputElement).value })} />
                  –
                  <input type="time" aria-label={words.closesAt(nameOfDay(day))} value={one.closes}
                    onInput={(event) => change(one, { closes: (event.target as HTMLInputElement).value })} />
                  <IconButton icon="trash" label={words.removeHours(nameOfDay(day))} onTap={() => onChange(value.filter((other) => other !== one))} />
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
};
