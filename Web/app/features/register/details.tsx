import { ChoiceField, FormState, SelectField, TextField, Values } from "../../../shared/forms";
import type { Identity } from "api-types";
import { latinDigits } from "../../../shared/format";
import type { ChosenPlace } from "../../../shared/map/place-picker";
import { uiWords } from "../../../shared/ui";
import type { Detail } from "../../signup";
import { words } from "./words";

export const mobileNumber = (text: string): string => latinDigits(text).replace(/[\s()-]/g, "").replace(/^00/, "+");

export function yearsSince(day: string): number {
  const [year, month, date] = day.split("-").map(Number);
  const now = new Date();
  return now.getFullYear() - year - (now.getMonth() + 1 < month || (now.getMonth() + 1 === month && now.getDate() < date) ? 1 : 0);
}

export const badEmail = (text: string): boolean => !/^\S+@\S+\.\S+$/.test(text.trim());
export const badMobile = (text: string): boolean => !/^\+\d{8,15}$/.test(mobileNumber(text));

/** The first place of whoever orders care. */
export const addressBody = (street: string, at: ChosenPlace | undefined): Identity.PlaceContent | undefined =>
  at && { label: "home", name: street.trim().slice(0, 60), address: street.trim(), coordinates: { latitude: at.latitude, longitude: at.longitude } };

const fieldOf = (detail: Detail): string => `details.${detail.id}`;

/** What the fields of a form hold at first: `details.NAME`. */
export const emptyDetails = (details: Detail[], known: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(details.map((detail) => [fieldOf(detail), known[detail.id] ?? ""]));

const typed = (detail: Detail, values: Values): string => String(values[fieldOf(detail)] ?? "").trim();

/** What is missing, or cannot be: a year outside of its range, a day that is too young. */
export function wrongDetails(details: Detail[], values: Values): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const detail of details) {
    const value = typed(detail, values);
    const year = Number(latinDigits(value));
    if (!value) {
      if (detail.required) faults[fieldOf(detail)] = uiWords.needed;
    } else if (detail.kind === "year" && !(year >= (detail.from ?? 0) && year <= (detail.to ?? 9999))) {
      faults[fieldOf(detail)] = words.badYear(detail.from ?? 1900, Math.min(detail.to ?? 9999, new Date().getFullYear() + 1));
    } else if (detail.kind === "since" && detail.years && yearsSince(value) < detail.years) faults[fieldOf(detail)] = words.tooShort(detail.years);
    else if (detail.kind === "email" && badEmail(value)) faults[fieldOf(detail)] = words.badEmail;
  }
  return faults;
}

/** Names and choices of details that are known already, for people. */
export const nameOfDetail = (details: Detail[], id: string): string => details.find((detail) => detail.id === id)?.name ?? id;
export const nameOfChoice = (details: Detail[], id: string, value: string): string =>
  details.find((detail) => detail.id === id)?.choices?.find((choice) => choice.id === value)?.name ?? value;

/** As the API takes them, without those that were left empty; undefined where none is asked for. */
export function detailsBody(details: Detail[], values: Values): Record<string, string | number> | undefined {
  if (!details.length) return undefined;
  return Object.fromEntries(details.filter((detail) => typed(detail, values)).map((detail) => {
    const value = typed(detail, values);
    return [detail.id, detail.kind === "year" ? Number(latinDigits(value)) : detail.kind === "mobile" ? mobileNumber(value) : value];
  }));
}

const kinds = { text: "text", person: "text", mobile: "tel", email: "email", year: "digits", since: "date" } as const;

/** The fields of what a role asks for. */
export function DetailFields<V extends Values>({ form, details }: { form: FormState<V>; details: Detail[] }): JSX.Element {
  const own = form as unknown as FormState<Record<string, string>>;
  return (
    <div class="form">
      {details.map((detail) => {
        const shared = { form: own, name: fieldOf(detail), label: detail.name, optional: !detail.required };
        if (detail.kind !== "choice") return <TextField key={detail.id} {...shared} kind={kinds[detail.kind]} maximum={detail.maximum} />;
        const options = (detail.choices ?? []).map((choice) => ({ value: choice.id, label: choice.name }));
        return options.length > 4 ? <SelectField key={detail.id} {...shared} placeholder={words.chooseOne} options={options} />
          : <ChoiceField key={detail.id} {...shared} options={options} />;
      })}
    </div>
  );
}
