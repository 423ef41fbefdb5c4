import type { Admin } from "api-types";
import { distance, duration, latinDigits, locale, minorUnits, money, number, typedAmount } from "../../../shared/format";
import { words } from "./words";

/** In what a setting's number is read and typed. The API knows whole numbers alone: seconds, basis points, minor units. */
type Unit = "seconds" | "metres" | "percent" | "money" | "days" | "months" | "plain";

const amounts = ["finePerKilometre", "cancellationFee", "dailyTopUpLimit", "dailyCashOutLimit", "secondApprovalAmount"];
function unitOf(key: string): Unit {
  if (/Seconds$/.test(key)) return "seconds";
  if (/Metres$/.test(key)) return "metres";
  if (/BasisPoints/.test(key)) return "percent";
  if (/Days$/.test(key)) return "days";
  if (/Months$/.test(key)) return "months";
  return amounts.includes(key) ? "money" : "plain";
}

const counted = (value: number, unit: string): string => new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(value);

/** A value as people read it. */
export function shown(setting: Pick<Admin.Setting, "key" | "kind">, value: string, currency: string): string {
  if (setting.kind === "trueOrFalse") return value === "true" ? words.on : words.off;
  if (setting.kind !== "wholeNumber") return value;
  const whole = Number(value);
  switch (unitOf(setting.key)) {
    case "seconds": return whole < 120 && whole % 60 !== 0 ? counted(whole, "second") : whole > 0 && whole % 86400 === 0 ? counted(whole / 86400, "day") : whole === 0 ? counted(0, "second") : duration(whole);
    case "metres": return distance(whole);
    case "percent": return `${number(whole / 100, 2)}%`;
    case "money": return money({ amount: whole, currency });
    case "days": return counted(whole, "day");
    case "months": return counted(whole, "month");
    default: return number(whole);
  }
}

/** A value as somebody types it. */
export function typed(setting: Admin.Setting, currency: string): string {
  if (setting.kind !== "wholeNumber") return setting.value;
  const unit = unitOf(setting.key);
  if (unit === "percent") return String(Number(setting.value) / 100);
  return unit === "money" ? typedAmount({ amount: Number(setting.value), currency }) : setting.value;
}

/** The API's value of what was typed; undefined where it is no number. */
export function read(setting: Admin.Setting, text: string, currency: string): string | undefined {
  if (setting.kind !== "wholeNumber") return text.trim();
  const plain = latinDigits(text).trim().replace(",", ".");
  const unit = unitOf(setting.key);
  if (unit === "money") return minorUnits(text, currency)?.toString();
  if (unit === "percent") return /^\d{1,3}(\.\d{1,2})?$/.test(plain) ? String(Math.round(Number(plain) * 100)) : undefined;
  return /^\d{1,12}$/.test(plain) ? plain : undefined;
}

/** What the number is in, for the label of its field. */
export function unitText(setting: Admin.Setting, currency: string): string {
  if (setting.kind !== "wholeNumber") return "";
  const unit = unitOf(setting.key);
  return unit === "money" ? `(${currency})` : unit === "plain" ? "" : `(${words[unit]})`;
}
