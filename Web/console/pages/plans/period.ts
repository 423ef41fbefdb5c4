import { words } from "./words";

/** The days of a unit: a month has thirty, so twelve of them are the year of 360 days. */
const daysOf = { D: 1, W: 7, M: 30 };
export type Unit = keyof typeof daysOf;
const longestDays = 1080;

export const units = (): Record<Unit, string> => ({ D: words.days, W: words.weeks, M: words.months });

/** How the wallet writes a plan's period, as a number and its unit. */
export function typedPeriod(period: string | undefined): { count: string; unit: Unit } {
  const [, count, unit] = /^P(\d+)([DWM])$/.exec(period ?? "") ?? [];
  if (count) return { count, unit: unit as Unit };
  return { count: period === "yearly" ? "12" : "1", unit: "M" };
}

export const periodOf = (count: string, unit: string): string => `P${Number(count)}${unit}`;

/** Whether it is from a day to three years of 360. */
export const isPeriod = (count: string, unit: string): boolean =>
  /^\d{1,4}$/.test(count) && Number(count) > 0 && Number(count) * daysOf[unit as Unit] <= longestDays;
