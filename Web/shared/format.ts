import { language } from "./language";
import { isolate } from "./words";

export interface Money {
  amount: number;
  currency: string;
}

/** Digits are Latin in both languages, as in all that the services write. */
export const locale = (): string => (language.get() === "ar" ? "ar-u-nu-latn" : "en-GB");

let zone: string | undefined;
/** Times are those of the market that is open; its zone is named where the phone's differs. */
export const setZone = (name: string | undefined): void => {
  zone = name;
};

export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** `200.01 SAR`: as the services write it, and never broken or turned around; `+200.01 SAR` with its sign. */
export function money(value: Money, signed = false): string {
  const digits = digitsOf(value.currency);
  const number = (value.amount / 10 ** digits).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return isolate(`${signed && value.amount > 0 ? "+" : ""}${number.replace("-", "\u2212")}\u00a0${value.currency}`);
}

/** Minor units of what somebody typed, or undefined where it is no amount. */
export function minorUnits(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const match = /^(\d{1,9})(?:[.,\u066b](\d+))?$/.exec(latinDigits(text).replace(/[\s\u066c]/g, ""));
  if (!match || (match[2] ?? "").length > digits) return undefined;
  return Number(match[1]) * 10 ** digits + Number((match[2] ?? "").padEnd(digits, "0") || 0);
}

type Moment = string | number | Date;
const formatted = (moment: Moment, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: zone, ...options }).format(new Date(moment));

const phoneZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const isElsewhere = (moment: Moment): boolean =>
  zone !== undefined && zone !== phoneZone &&
  formatted(moment, { hour: "numeric", minute: "numeric", day: "numeric" }) !==
    formatted(moment, { hour: "numeric", minute: "numeric", day: "numeric", timeZone: phoneZone });

/** `14:05`, with the market's zone where the phone's clock says something else. */
export const time = (moment: Moment): string =>
  formatted(moment, { hour: "2-digit", minute: "2-digit", ...(isElsewhere(moment) ? { timeZoneName: "short" } : {}) });
/** `Fri 27 Nov` */
export const day = (moment: Moment): string => formatted(moment, { weekday: "short", day: "numeric", month: "short" });
/** `27 November 2026` */
export const date = (moment: Moment): string => formatted(moment, { day: "numeric", month: "long", year: "numeric" });
export const dayAndTime = (moment: Moment): string => `${day(moment)}, ${time(moment)}`;

const isToday = (moment: Moment): boolean => dayKey(moment) === dayKey(Date.now());
const isNear = (moment: Moment): boolean => Math.abs(new Date(moment).getTime() - Date.now()) < 120_000;
/** The moments that a service writes into its texts, such as `2026-11-27T05:57:41.227Z`, as people read them. */
export const withTimes = (text: string): string => text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (moment) =>
  isolate(isNear(moment) ? formatted(moment, { hour: "2-digit", minute: "2-digit", second: "2-digit" }) : isToday(moment) ? time(moment) : dayAndTime(moment)));

/** The market's day of a moment, as `2026-11-27`. */
export const dayKey = (moment: Moment): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date(moment));

/** A day of the market's calendar, such as `2026-11-27`, as `day` writes it. */
export const dayName = (key: string): string => formatted(`${key}T12:00:00Z`, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

const units: [Intl.RelativeTimeFormatUnit, number][] = [["day", 86400], ["hour", 3600], ["minute", 60]];

/** `5 minutes ago`, `yesterday`; beyond a week the day. */
export function ago(moment: Moment, now: number = Date.now()): string {
  const seconds = Math.round((new Date(moment).getTime() - now) / 1000);
  if (Math.abs(seconds) > 7 * 86400) return day(moment);
  const form = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return form.format(Math.trunc(seconds / length), unit);
  }
  return form.format(0, "second");
}

// Arabic's short forms of minutes and hours are single letters; they are written out.
const isShort = (name: string): boolean => language.get() !== "ar" || name === "meter" || name === "kilometer";
const unit = (value: number, name: string, digits = 0): string =>
  new Intl.NumberFormat(locale(), { style: "unit", unit: name, unitDisplay: isShort(name) ? "short" : "long", maximumFractionDigits: digits }).format(value);

/** `350 m`, `2.4 km` */
export const distance = (metres: number): string =>
  metres < 950 ? unit(Math.round(metres / 10) * 10, "meter") : unit(metres / 1000, "kilometer", metres < 9950 ? 1 : 0);

/** `6 min`, `1 hr 20 min` */
export function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return unit(minutes, "minute");
  const rest = minutes % 60;
  const and = language.get() === "ar" ? " و" : " ";
  return rest ? `${unit(Math.floor(minutes / 60), "hour")}${and}${unit(rest, "minute")}` : unit(minutes / 60, "hour");
}

/** `4:05`, for clocks that run down. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export const number = (value: number, digits = 0): string => value.toLocaleString(locale(), { maximumFractionDigits: digits });

/** `a, b and c` */
export const list = (items: string[]): string =>
  new (Intl as unknown as { ListFormat: new (tag: string) => { format(items: string[]): string } }).ListFormat(locale()).format(items);

// The zero of each script's digits; the nine others follow it.
const zeros = [0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
  0x0f20, 0x1040, 0x17e0, 0x1810, 0xff10];

/** The text with the digits of all scripts as Latin ones. */
export function latinDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) as number;
    const zero = zeros.find((start) => code >= start && code < start + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** An amount as somebody types it: `50`, `200.01`. */
export function typedAmount(value: Money): string {
  const digits = digitsOf(value.currency);
  const text = (value.amount / 10 ** digits).toFixed(digits);
  return text.replace(/\.0+$/, "");
}
