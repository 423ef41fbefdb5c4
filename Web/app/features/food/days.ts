import type { Dispatch } from "api-types";
import { locale } from "../../../shared/format";

export type Hours = Dispatch.RestaurantHours;
export const days: Hours["day"][] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

// A week that begins on a Sunday.
export const nameOfDay = (day: Hours["day"]): string =>
  new Intl.DateTimeFormat(locale(), { weekday: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2026, 10, 22 + days.indexOf(day), 12)));
