import { locale } from "../../../shared/format";
import { words } from "./words";

export type PrayerName = "fajr" | "sunrise" | "dhuhr" | "asr" | "maghrib" | "isha";
export const prayers: PrayerName[] = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"];

export const prayerName = (name: string): string => ((prayers as string[]).includes(name) ? words[name as PrayerName] : name);

/** `05:19` by the clock of the city. The page says whose clock it is, so that a row need not. */
export const prayerTime = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale(), { hour: "2-digit", minute: "2-digit", timeZone }).format(new Date(moment));

export const methods = [
  "ummAlQura", "muslimWorldLeague", "egyptian", "karachi", "gulf", "kuwait", "qatar", "singapore", "turkey", "tehran", "isna", "moonsightingCommittee",
] as const;
export type Method = (typeof methods)[number];

/** A day of the calendar some days later, as `2026-11-28`. */
export const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
