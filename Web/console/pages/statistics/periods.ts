import type { Admin } from "api-types";

export type By = "day" | "week" | "month";

/** The first day of the period that a day of the market's calendar lies in. Weeks begin on Monday. */
export function periodOf(day: string, by: By): string {
  if (by === "month") return `${day.slice(0, 7)}-01`;
  if (by === "day") return day;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

/** The days of each period, the oldest first. */
export function grouped<T extends { day: string }>(days: T[], by: By): { period: string; days: T[] }[] {
  const found = new Map<string, T[]>();
  for (const day of [...days].sort((a, b) => a.day.localeCompare(b.day))) {
    const period = periodOf(day.day, by);
    found.set(period, [...(found.get(period) ?? []), day]);
  }
  return [...found].map(([period, own]) => ({ period, days: own }));
}

export const sum = <T>(items: T[], value: (item: T) => number): number => items.reduce((all, item) => all + value(item), 0);

/** A mean of means: each counts as often as what it is the mean of. */
export function mean<T>(items: T[], value: (item: T) => number | undefined, weight: (item: T) => number): number | undefined {
  const known = items.filter((item) => value(item) !== undefined && weight(item) > 0);
  const all = sum(known, weight);
  return all > 0 ? sum(known, (item) => (value(item) as number) * weight(item)) / all : undefined;
}

type Day = Admin.Statistics["days"][number];
export const stars = (days: Day[], of: "starsByCustomers" | "starsByProviders" | "starsByMerchants"): number | undefined =>
  mean(days, (day) => day[of]?.mean, (day) => day[of]?.count ?? 0);
