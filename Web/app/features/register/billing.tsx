import type { Identity } from "api-types";
import { locale } from "../../../shared/format";
import { FormState, SelectField, TextField, Values } from "../../../shared/forms";
import { uiWords } from "../../../shared/ui";
import { words } from "./words";

type Address = Identity.BillingAddress;
type Part = keyof Address;
const parts: Part[] = ["street", "city", "postcode", "country"];
/** As the API points at it: what it finds wrong stands beside its field. */
const fieldOf = (part: Part): string => `billingAddress.${part}`;
export const billingPointers = Object.fromEntries(parts.map((part) => [`/${part}`, fieldOf(part)]));

const homes: Record<string, string> = { assef: "SA", hajji: "SA", edencare: "CA", btnc: "AU", carrepsa: "SE" };

/** What the fields hold at first: `billingAddress.NAME`. */
export const emptyBilling = (market: string, known?: Address): Record<string, string> =>
  Object.fromEntries(parts.map((part) => [fieldOf(part), known?.[part] ?? (part === "country" ? homes[market] ?? "" : "")]));

const typed = (values: Values, part: Part): string => String(values[fieldOf(part)] ?? "").trim();

export const wrongBilling = (values: Values): Record<string, string> =>
  Object.fromEntries(parts.filter((part) => !typed(values, part)).map((part) => [fieldOf(part), uiWords.needed]));

export const billingBody = (values: Values): Address =>
  ({ street: typed(values, "street"), city: typed(values, "city"), postcode: typed(values, "postcode"), country: typed(values, "country") });

// ISO 3166-1, two letters each.
const codes = "ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZ" +
  "DEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJP" +
  "KEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOM" +
  "PAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZ" +
  "UAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW";

/** Countries by their names in the page's language. */
function countries(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale(), { type: "region" });
  return (codes.match(/../g) ?? []).map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) => a.label.localeCompare(b.label, locale()));
}

/** Where the bills go. */
export function BillingFields<V extends Values>({ form }: { form: FormState<V> }): JSX.Element {
  const own = form as unknown as FormState<Record<string, string>>;
  return (
    <div class="form">
      <TextField form={own} name={fieldOf("street")} label={words.street} autocomplete="billing street-address" maximum={200} />
      <TextField form={own} name={fieldOf("city")} label={words.city} autocomplete="billing address-level2" maximum={100} />
      <TextField form={own} name={fieldOf("postcode")} label={words.postcode} autocomplete="billing postal-code" maximum={20} />
      <SelectField form={own} name={fieldOf("country")} label={words.country} autocomplete="billing country" placeholder={words.chooseOne} options={countries()} />
    </div>
  );
}
