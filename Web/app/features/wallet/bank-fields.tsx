import { latinDigits } from "../../../shared/format";
import { ChoiceField, FormState, TextField, Values } from "../../../shared/forms";
import { exampleIBAN, groupedIBAN, isIBAN, plainIBAN } from "../../../shared/forms/iban";
import { uiWords } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { words } from "./words";

/** How a bank account's number is written. */
export type BankForm = "iban" | "australian" | "canadian";
export type BankValues = { form: string; iban: string; bsb: string; transit: string; institution: string; accountNumber: string; holder: string; bankName: string };

/** The form of the country whose money the market has; an IBAN everywhere else. */
export const ownForm = (currency: string | undefined): BankForm => (currency === "AUD" ? "australian" : currency === "CAD" ? "canadian" : "iban");
export const emptyBank = (currency: string | undefined, form: BankForm = ownForm(currency)): BankValues =>
  ({ form, iban: "", bsb: "", transit: "", institution: "", accountNumber: "", holder: "", bankName: "" });

const digits = (text: string): string => latinDigits(text).replace(/[\s-]/g, "");
const numbers = (values: BankValues): string => (values.form === "iban" ? values.iban : values.bsb + values.transit + values.institution + values.accountNumber);

export function checkBank(values: BankValues, isKnown = false): { [K in keyof BankValues]?: string | false } {
  const isKept = isKnown && !numbers(values).trim();
  const wrong = (name: keyof BankValues, form: RegExp, text: string): string | false => !isKept && !form.test(digits(values[name])) && text;
  const number = values.form === "australian" ? {
    bsb: wrong("bsb", /^\d{6}$/, words.badBSB), accountNumber: wrong("accountNumber", /^\d{5,9}$/, words.badAccount(5, 9)),
  } : values.form === "canadian" ? {
    transit: wrong("transit", /^\d{5}$/, words.badTransit), institution: wrong("institution", /^0?\d{3}$/, words.badInstitution),
    accountNumber: wrong("accountNumber", /^\d{7,12}$/, words.badAccount(7, 12)),
  } : { iban: !isKept && !isIBAN(values.iban) && words.badIBAN };
  return { ...number, holder: values.holder.trim().length < 2 && uiWords.needed, bankName: values.bankName.trim().length < 2 && uiWords.needed };
}

type BankNumber = { iban?: string; bsb?: string; transit?: string; institution?: string; accountNumber?: string };
/** The number as the API takes it; empty where it was left out. */
export function bankNumber(values: BankValues): BankNumber {
  if (!numbers(values).trim()) return {};
  const accountNumber = digits(values.accountNumber);
  return values.form === "australian" ? { bsb: digits(values.bsb), accountNumber }
    : values.form === "canadian" ? { transit: digits(values.transit), institution: digits(values.institution), accountNumber } : { iban: plainIBAN(values.iban) };
}

/** A bank account's form: the number as the bank writes it, whose it is, and which bank. */
export const BankFields = ({ form, currency, isKnown }: { form: FormState<BankValues>; currency?: string; isKnown?: boolean }): JSX.Element => {
  const typed: FormState<BankValues> = { ...form, set: (name, value) => form.set(name, (name === "iban" ? groupedIBAN(value, form.values.iban) : value) as typeof value) };
  const own = ownForm(currency);
  const chosen = form.values.form;
  const kept = isKnown ? words.keepNumber : undefined;
  return (
    <>
      {own !== "iban" && (
        <ChoiceField form={form} name="form" label={words.accountIn} inRow
          options={[{ value: own, label: own === "australian" ? words.australia : words.canada }, { value: "iban", label: words.otherCountry }]} />
      )}
      {chosen === "iban" && (
        <TextField form={typed} name="iban" kind="email" label={isKnown ? words.newIBAN : words.iban} optional={isKnown} maximum={42}
          hint={isKnown ? words.keepIBAN : words.ibanHint(isolate(exampleIBAN(currency)))} />
      )}
      {chosen === "australian" && <TextField form={form} name="bsb" kind="digits" label={words.bsb} hint={kept ?? words.bsbHint} optional={isKnown} maximum={8} />}
      {chosen === "canadian" && (
        <div class="pair">
          <TextField form={form} name="transit" kind="digits" label={words.transit} hint={words.transitHint} optional={isKnown} maximum={6} />
          <TextField form={form} name="institution" kind="digits" label={words.institution} hint={words.institutionHint} optional={isKnown} maximum={4} />
        </div>
      )}
      {chosen !== "iban" && <TextField form={form} name="accountNumber" kind="digits" label={words.accountNumber} hint={kept} optional={isKnown} maximum={16} />}
      <TextField form={form} name="holder" label={words.holder} maximum={100} autocomplete="name" />
      <TextField form={form} name="bankName" label={words.bankName} maximum={100} />
    </>
  );
};

export const bankPart = <V extends Values & BankValues>(form: FormState<V>): FormState<BankValues> => form as unknown as FormState<BankValues>;
