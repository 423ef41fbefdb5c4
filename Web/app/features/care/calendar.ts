import { dayName, list, locale } from "../../../shared/format";
import { momentOf } from "../../../shared/zone";
import type { Weekday, When } from "./draft";
import { words } from "./visit-words";

/** From Sunday on, as `Date.getUTCDay` counts. */
export const weekdays: Weekday[] = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
// A week that begins on a Sunday.
const sampleDay = (day: Weekday): Date => new Date(Date.UTC(2026, 10, 22 + weekdays.indexOf(day), 12));
export const weekdayName = (day: Weekday, form: "long" | "short" = "long"): string => new Intl.DateTimeFormat(locale(), { weekday: form, timeZone: "UTC" }).format(sampleDay(day));

export const weekdayOf = (day: string): Weekday => weekdays[new Date(`${day}T12:00:00Z`).getUTCDay()];
export const plusDays = (day: string, days: number): string => new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export interface Hours {
  from: string;
  to: string;
}
/** `08:00-20:00`; undefined where it is always open. */
export function hoursOf(text: string | undefined): Hours | undefined {
  const match = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text ?? "");
  return match ? { from: match[1], to: match[2] } : undefined;
}
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Whether a visit that begins at the time is over before the hours end. */
export const isWithin = (time: string, minutes: number, hours: Hours | undefined): boolean =>
  !hours || (minutesOf(time) >= minutesOf(hours.from) && minutesOf(time) + minutes <= minutesOf(hours.to));

/** The rule of a series as RFC 5545 has it. */
export function ruleOf(when: Extract<When, { kind: "series" }>): string {
  const parts = [`FREQ=${when.every.toUpperCase()}`];
  if (when.every === "weekly") parts.push(`BYDAY=${weekdays.filter((day) => when.days.includes(day)).join(",")}`);
  if (when.every === "monthly") parts.push(`BYMONTHDAY=${when.monthDay}`);
  if (when.until) parts.push(`UNTIL=${when.until.replace(/-/g, "")}`);
  return parts.join(";");
}

const joinedDays = (days: Weekday[]): string => list(weekdays.filter((day) => days.includes(day)).map((day) => weekdayName(day)));

/** A rule in words; one that was made elsewhere is told by its days where they can be read. */
export function ruleInWords(rule: string, time: string): string {
  const parts = Object.fromEntries(rule.split(";").map((part) => part.split("=") as [string, string]));
  const until = parts.UNTIL ? ` ${words.untilDay(dayName(parts.UNTIL.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3")))}` : "";
  if (parts.FREQ === "WEEKLY") return words.weeklyAt(joinedDays((parts.BYDAY ?? "").split(",").filter(Boolean) as Weekday[]), time) + until;
  if (parts.FREQ === "MONTHLY") return words.monthlyAt(Number(parts.BYMONTHDAY ?? 1), time) + until;
  return words.dailyAt(time) + until;
}

export function whenInWords(when: When | undefined): string {
  if (!when) return words.missing;
  if (when.kind === "now") return words.now;
  if (when.kind === "later") return words.atTime(dayName(when.day), when.time);
  return ruleInWords(ruleOf(when), when.time);
}

export const momentOfWhen = (when: Extract<When, { kind: "later" }>, zone: string): Date => momentOf(when.day, when.time, zone);

/** The first days of a series, as many as are asked for, without those that are left out. */
export function firstDays(when: Extract<When, { kind: "series" }>, wanted: number): string[] {
  const days: string[] = [];
  // The longest way between two days is a month; those of a year are looked through.
  for (let day = when.firstDay, step = 0; step < 366 && days.length < wanted && !(when.until && day > when.until); day = plusDays(day, 1), step++) {
    const fits = when.every === "daily" || (when.every === "weekly" ? when.days.includes(weekdayOf(day)) : Number(day.slice(8)) === when.monthDay);
    if (fits && !when.skipped.includes(day)) days.push(day);
  }
  return days;
}
