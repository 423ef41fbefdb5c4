import { locale } from "../../../shared/format";

/** `900 g`, `2.5 kg` */
export const weight = (grams: number): string => {
  const [value, unit] = grams < 1000 ? [grams, "gram"] : [grams / 1000, "kilogram"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }).format(value as number);
};
