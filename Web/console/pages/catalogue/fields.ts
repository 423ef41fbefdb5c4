import type { Admin } from "api-types";
import { latinDigits, minorUnits, typedAmount } from "../../../shared/format";
import { localized } from "../../../shared/words";
import type { ActField, ActValues } from "../../kit";
import { kitWords, optionsOf } from "../../kit";
import { partyName, stateName } from "../../states";
import { languageNames, textNames, words } from "./words";

export type Section = "service-types" | "services" | "titles" | "report-reasons" | "labels" | "kinds";
export const sections: Section[] = ["service-types", "services", "titles", "report-reasons", "labels", "kinds"];
export type Entry = Admin.CatalogueEntry;

/** What the fields of an entry need of the rest of the catalogue. */
export interface Around {
  view: Admin.Catalogue;
  types: Entry[];
  titles: Entry[];
  /** Who may give a reason in this market. */
  parties: ("customer" | "provider" | "merchant")[];
}

const named = (names: object, key: string): string => (names as Record<string, string>)[key] ?? key;
const long = ["brief", "instructions", "requirements"];

/** What an entry is called where it stands in a list. */
export function nameOf(entry: Entry): string {
  if (entry.section !== "labels") return localized(entry.texts.name ?? {}) || entry.id;
  const [kind, state] = entry.id.includes(".") ? entry.id.split(".") : ["", entry.id];
  return kind ? `${kind}: ${stateName(state)}` : stateName(state);
}

export function fieldsOf({ view, types, titles, parties }: Around, entry?: Entry): ActField[] {
  const texts = [...view.required, ...view.optional].flatMap((text) => view.languages.map((language): ActField => ({
    name: `texts.${text}.${language}`, label: `${named(textNames, text)} · ${named(languageNames, language)}`, half: true,
    kind: long.includes(text) ? "long" : "text", optional: !view.required.includes(text), initial: entry?.texts[text]?.[language] ?? "", maximum: long.includes(text) ? 1000 : 200,
  })));
  const own: ActField[] = [];
  if (view.section === "services") {
    own.push({ name: "type", label: words.type, kind: "select", initial: entry?.type ?? types[0]?.id, options: optionsOf(Object.fromEntries(types.map((type) => [type.id, nameOf(type)]))) });
    own.push({ name: "minutes", label: words.minutes, kind: "digits", initial: String(entry?.minutes ?? 60), half: true });
    if (view.currency) own.push({ name: "price", label: `${words.price} (${view.currency})`, kind: "amount", half: true, initial: entry?.price !== undefined ? typedAmount({ amount: entry.price, currency: view.currency }) : "" });
    titles.forEach((title, index) => own.push({ name: `title.${title.id}`, label: words.doneByOne(nameOf(title)), kind: "check", initial: entry?.titles?.includes(title.id) ?? false, hint: index === titles.length - 1 ? words.everybodyHint : undefined }));
  }
  if (view.section === "titles") {
    own.push({ name: "spellings", label: words.spellings, kind: "long", optional: true, hint: words.spellingsHint, initial: (entry?.spellings ?? []).join("\n"), maximum: 10_000 });
    own.push({ name: "ambiguous", label: words.ambiguous, kind: "check", hint: words.ambiguousHint, initial: entry?.ambiguous ?? false });
  }
  if (view.section === "report-reasons" && !entry?.fixed) {
    for (const party of parties) own.push({ name: `party.${party}`, label: words.partyOne(partyName(party)), kind: "check", initial: entry?.parties?.includes(party) ?? party !== "merchant" });
  }
  return [...(entry ? [] : [{ name: "id", label: words.id, hint: words.idHint, maximum: 40 } as ActField]), ...texts, ...own];
}

export const check = (view: Admin.Catalogue) => (values: ActValues) => {
  if (view.section !== "services") return {};
  const minutes = Number(latinDigits(String(values.minutes)));
  return {
    minutes: !(Number.isInteger(minutes) && minutes >= 5 && minutes <= 1440) && words.badMinutes,
    price: view.currency !== undefined && minorUnits(String(values.price), view.currency) === undefined && kitWords.badAmount,
  };
};

const chosen = (values: ActValues, kind: string): string[] =>
  Object.entries(values).filter(([name, value]) => name.startsWith(`${kind}.`) && value === true).map(([name]) => name.slice(kind.length + 1));

/** The content of an entry as it was typed. A text that may be absent, and that nobody has typed, is. */
export function bodyOf({ view }: Around, values: ActValues, entry?: Entry): Admin.CatalogueContent {
  const texts: Record<string, Record<string, string>> = {};
  for (const text of [...view.required, ...view.optional]) {
    const words = Object.fromEntries(view.languages.map((language) => [language, String(values[`texts.${text}.${language}`] ?? "")]));
    if (view.required.includes(text) || Object.values(words).some((one) => one.trim())) texts[text] = words;
  }
  const content: Admin.CatalogueContent = { texts };
  if (view.section === "services") {
    Object.assign(content, { type: String(values.type), minutes: Number(latinDigits(String(values.minutes))), titles: chosen(values, "title") });
    if (view.currency) content.price = minorUnits(String(values.price), view.currency);
  }
  if (view.section === "titles") {
    Object.assign(content, { spellings: String(values.spellings).split("\n").map((one) => one.trim()).filter(Boolean), ambiguous: values.ambiguous === true });
  }
  if (view.section === "report-reasons") content.parties = (entry?.fixed ? entry.parties ?? [] : chosen(values, "party")) as Admin.CatalogueContent["parties"];
  return content;
}

/** Faults in a list stand beside the field that the list was typed in. */
export const pointers = (values: number): Record<string, string> => Object.fromEntries([
  ...Array.from({ length: values }, (_, index) => [`/spellings/${index}`, "spellings"]), ["/parties", "party.customer"],
]);
