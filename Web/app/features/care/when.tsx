import type { Component } from "preact";
import { useState } from "preact";
import { Form, Submit, TextField, ChoiceField, useForm } from "../../../shared/forms";
import { dayKey, dayName } from "../../../shared/format";
import { go, to } from "../../../shared/router";
import { Button, Empty, Icon, Screen, Skeleton } from "../../../shared/ui";
import { clockOf, momentOf } from "../../../shared/zone";
import type { ScreenProperties } from "../../features";
import { hoursOf, isWithin, plusDays, weekdayName, weekdayOf, weekdays } from "./calendar";
import { change, useDraft, Weekday, When as Chosen } from "./draft";
import { useServices } from "./services";
import { words } from "./visit-words";
import { words as common } from "./words";

/** Days to tap, several of them. */
const Days: Component<{ chosen: Weekday[]; fault?: string | false; onChange: (days: Weekday[]) => void }> = ({ chosen, fault, onChange }) => (
  <fieldset class={fault ? "field wrong" : "field"}>
    <legend>{words.onDays}</legend>
    <div class="days">
      {weekdays.map((day) => (
        <label key={day} class="choice day">
          <input type="checkbox" class="hidden" checked={chosen.includes(day)} onChange={() => onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])} />
          <span aria-hidden="true">{weekdayName(day, "short")}</span><span class="hidden">{weekdayName(day)}</span>
        </label>
      ))}
    </div>
    {fault && <p class="fault"><Icon name="warning" size={16} />{fault}</p>}
  </fieldset>
);

const Skipped: Component<{ days: string[]; first: string; onChange: (days: string[]) => void }> = ({ days, first, onChange }) => (
  <div class="field">
    <label for="skipped-day">{words.except}</label>
    <div class="input"><input id="skipped-day" type="date" min={first} value="" onChange={(event) => {
      const input = event.target as HTMLInputElement;
      if (input.value && !days.includes(input.value)) onChange([...days, input.value].sort());
      input.value = "";
    }} /></div>
    {days.length > 0 && (
      <ul class="chips">{days.map((day) => (
        <li key={day}><button type="button" class="chip" aria-label={words.exceptRemove(dayName(day))} onClick={() => onChange(days.filter((one) => one !== day))}>{dayName(day)}<Icon name="close" size={16} /></button></li>
      ))}</ul>
    )}
  </div>
);

const WhenForm: Component<{ zone: string; openingHours?: string; minutes: number; old?: Chosen }> = ({ zone, openingHours, minutes, old }) => {
  const hours = hoursOf(openingHours);
  const hoursText = hours ? words.hours(hours.from, hours.to) : "";
  const today = dayKey(Date.now());
  const clock = clockOf(Date.now(), zone);
  const canNow = isWithin(clock, minutes, hours);
  const first = hours && !isWithin(clock < hours.from ? hours.from : clock, minutes, hours) ? plusDays(today, 1) : today;
  const series = old?.kind === "series" ? old : undefined;
  const [days, setDays] = useState<Weekday[]>(series?.days ?? [weekdayOf(first)]);
  const [skipped, setSkipped] = useState<string[]>(series?.skipped ?? []);
  const [dayFault, setDayFault] = useState<string | false>(false);
  const form = useForm({
    initial: {
      kind: (old?.kind ?? (canNow ? "now" : "later")) as string, day: old?.kind === "later" ? old.day : series?.firstDay ?? first,
      time: old && old.kind !== "now" ? old.time : hours ? (first === today && clock > hours.from ? `${String(Math.min(23, Number(clock.slice(0, 2)) + 1)).padStart(2, "0")}:00` : "10:00") : "10:00",
      every: (series?.every ?? "weekly") as string, until: series?.until ?? "",
    },
    check: (values) => {
      if (values.kind === "now") return {};
      const noDays = values.kind === "series" && values.every === "weekly" && days.length === 0;
      setDayFault(noDays && words.needsDay);
      const isPast = values.kind === "later" && values.day !== "" && values.time !== "" && momentOf(values.day, values.time, zone).getTime() < Date.now();
      return {
        day: !values.day && words.missing,
        time: !values.time ? words.missing : isPast ? words.past : !isWithin(values.time, minutes, hours) && words.outOfHours(hoursText),
        until: values.kind === "series" && values.until !== "" && values.until < values.day && words.beforeFirst,
        every: noDays && words.needsDay,
      };
    },
    send: async (values) => values,
    done: (values) => {
      const when: Chosen = values.kind === "now" ? { kind: "now" } : values.kind === "later" ? { kind: "later", day: values.day, time: values.time } : {
        kind: "series", every: values.every as "weekly", days, monthDay: Math.min(28, Number(values.day.slice(8))), firstDay: values.day, time: values.time, until: values.until, skipped,
      };
      change({ when });
      go("care/summary");
    },
  });
  const { kind, every } = form.values;
  return (
    <Screen title={words.when} back="" footer={<Submit form={form}>{words.goOn}</Submit>}>
    <Form form={form}>
      <ChoiceField form={form} name="kind" label={words.choose_} options={[
        ...(canNow ? [{ value: "now", label: words.now, icon: "clock" }] : []),
        { value: "later", label: words.later, detail: hoursText || undefined, icon: "calendar" },
        { value: "series", label: words.repeats, detail: words.repeatsDetail, icon: "repeat" },
      ]} hint={canNow ? undefined : words.nowClosed(hoursText)} />
      {kind === "series" && (
        <ChoiceField form={form} name="every" label={words.every} inRow
          options={[{ value: "daily", label: words.daily }, { value: "weekly", label: words.weekly }, { value: "monthly", label: words.monthly }]} />
      )}
      {kind === "series" && every === "weekly" && <Days chosen={days} fault={dayFault} onChange={(next) => { setDays(next); setDayFault(false); }} />}
      {kind !== "now" && (
        <div class="pair">
          <TextField form={form} name="day" kind="date" label={kind === "series" ? words.firstDay : words.day} min={today} max={plusDays(today, 366)} />
          <TextField form={form} name="time" kind="time" label={words.time} min={hours?.from} max={hours?.to} />
        </div>
      )}
      {kind === "series" && (
        <>
          <TextField form={form} name="until" kind="date" label={words.until} hint={words.untilHint} optional min={form.values.day} />
          <Skipped days={skipped} first={form.values.day} onChange={setSkipped} />
        </>
      )}
    </Form>
    </Screen>
  );
};

/** Now, at a time, or again and again. */
const WhenScreen: Component<ScreenProperties> = () => {
  const draft = useDraft();
  const { list, market } = useServices();
  const chosen = (list ?? []).filter((one) => draft.services.includes(one.id));
  if (!draft.services.length) return <Screen title={words.when} back=""><Empty icon="care" title={common.nothing}><Button href={to("")}>{common.toServices}</Button></Empty></Screen>;
  return market && list ? (
    <WhenForm zone={market.timeZone} openingHours={market.settings.openingHours} minutes={chosen.reduce((sum, one) => sum + (one.minutes ?? 0), 0)} old={draft.when} />
  ) : <Screen title={words.when} back=""><Skeleton /></Screen>;
};

export default WhenScreen;
