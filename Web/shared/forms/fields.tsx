import type { Children } from "preact";
import { useEffect, useState } from "preact";
import { latinDigits } from "../format";
import { scaledPhoto } from "../device/photo";
import { Icon } from "../ui/kit";
import { words } from "../ui/words";
import { fieldId, FormState, Values } from "./form";

type Named<V, T> = { [K in keyof V]-?: T extends V[K] ? K : never }[keyof V] & string;

interface Common<V extends Values, T> {
  form: FormState<V>;
  name: Named<V, T>;
  label: string;
  hint?: Children;
  optional?: boolean;
}

function describe<V extends Values>(form: FormState<V>, name: keyof V, hint: Children, fault: unknown): Record<string, unknown> {
  const id = fieldId(form, name);
  const by = [hint ? `${id}-hint` : "", fault ? `${id}-fault` : ""].filter(Boolean).join(" ");
  return { id, "aria-describedby": by || undefined, "aria-invalid": fault ? "true" : undefined };
}

/** Label, field, hint, and what is wrong with it. */
function Field<V extends Values, T>({ form, name, label, hint, optional, children }: Common<V, T> & { children?: Children }): JSX.Element {
  const id = fieldId(form, name);
  const fault = form.faults[name];
  form.label(name, label);
  return (
    <div class={fault ? "field wrong" : "field"}>
      <label for={id}>{label}{optional && <span class="muted"> ({words.optional})</span>}</label>
      {children}
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {fault && <p class="fault" id={`${id}-fault`}><Icon name="warning" size={16} />{fault}</p>}
    </div>
  );
}

type Kind = "text" | "email" | "tel" | "search" | "digits" | "amount" | "date" | "time" | "datetime-local";

/** One line of text. Digits of all scripts are taken where digits are wanted. */
export function TextField<V extends Values>(field: Common<V, string> & {
  kind?: Kind; autocomplete?: string; maximum?: number; placeholder?: string; min?: string; max?: string; end?: Children;
}): JSX.Element {
  const { form, name, kind = "text", hint, autocomplete, maximum, placeholder, min, max, end } = field;
  const isNumber = kind === "digits" || kind === "amount";
  const type = isNumber ? "text" : kind;
  const mode = { digits: "numeric", amount: "decimal", tel: "tel", email: "email", search: "search" }[kind as string];
  return (
    <Field {...field}>
      <div class="input">
        <input {...describe(form, name, hint, form.faults[name])} name={name} type={type} inputMode={mode} autocomplete={autocomplete ?? "off"}
          maxLength={maximum} placeholder={placeholder} min={min} max={max} value={form.values[name] as string} enterkeyhint="next"
          dir={kind === "email" || kind === "tel" || isNumber ? "ltr" : "auto"} spellcheck={kind === "text" ? undefined : false}
          autocapitalize={kind === "email" ? "off" : undefined}
          onInput={(event) => {
            const text = (event.target as HTMLInputElement).value;
            form.set(name, (kind === "text" || kind === "search" || kind === "email" ? text : latinDigits(text)) as V[typeof name]);
          }} />
        {end}
      </div>
    </Field>
  );
}

export function PasswordField<V extends Values>(field: Common<V, string> & { isNew?: boolean }): JSX.Element {
  const { form, name, hint, isNew } = field;
  const [isShown, setShown] = useState(false);
  return (
    <Field {...field}>
      <div class="input">
        <input {...describe(form, name, hint, form.faults[name])} name={name} type={isShown ? "text" : "password"} dir="ltr" spellcheck={false}
          autocapitalize="off" autocomplete={isNew ? "new-password" : "current-password"} value={form.values[name] as string}
          onInput={(event) => form.set(name, (event.target as HTMLInputElement).value as V[typeof name])} />
        <button type="button" class="input-end" aria-label={isShown ? words.hidePassword : words.showPassword} aria-pressed={isShown}
          onClick={() => setShown(!isShown)}><Icon name={isShown ? "eye-off" : "eye"} /></button>
      </div>
    </Field>
  );
}

/** A code of so many digits, sent when the last one is typed. */
export function CodeField<V extends Values>(field: Common<V, string> & { length?: number }): JSX.Element {
  const { form, name, hint, length = 6 } = field;
  return (
    <Field {...field}>
      <input {...describe(form, name, hint, form.faults[name])} name={name} class="code" type="text" inputMode="numeric" dir="ltr"
        autocomplete="one-time-code" maxLength={length + 2} value={form.values[name] as string}
        onInput={(event) => {
          const digits = latinDigits((event.target as HTMLInputElement).value).replace(/\D/g, "").slice(0, length);
          form.set(name, digits as V[typeof name]);
          (event.target as HTMLInputElement).value = digits;
          if (digits.length === length) setTimeout(() => void form.submit());
        }} />
    </Field>
  );
}

export function LongTextField<V extends Values>(field: Common<V, string> & { maximum?: number; rows?: number }): JSX.Element {
  const { form, name, hint, maximum, rows = 3 } = field;
  return (
    <Field {...field}>
      <textarea {...describe(form, name, hint, form.faults[name])} name={name} rows={rows} maxLength={maximum} dir="auto"
        value={form.values[name] as string} onInput={(event) => form.set(name, (event.target as HTMLTextAreaElement).value as V[typeof name])} />
    </Field>
  );
}

export function SelectField<V extends Values>(field: Common<V, string> & { options: { value: string; label: string }[]; placeholder?: string; autocomplete?: string }): JSX.Element {
  const { form, name, hint, options, placeholder, autocomplete } = field;
  return (
    <Field {...field}>
      <div class="input select">
        <select {...describe(form, name, hint, form.faults[name])} name={name} value={form.values[name] as string} autocomplete={autocomplete}
          onChange={(event) => form.set(name, (event.target as HTMLSelectElement).value as V[typeof name])}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
        </select>
        <Icon name="chevron-down" />
      </div>
    </Field>
  );
}

/** Few choices, all of them seen: one is chosen. */
export function ChoiceField<V extends Values>(field: Common<V, string> & {
  options: { value: string; label: Children; detail?: Children; icon?: string }[]; inRow?: boolean;
}): JSX.Element {
  const { form, name, label, hint, options, inRow } = field;
  const id = fieldId(form, name);
  const fault = form.faults[name];
  form.label(name, label);
  return (
    <fieldset class={fault ? "field wrong" : "field"} id={id} tabIndex={-1} role="radiogroup" aria-invalid={fault ? "true" : undefined}
      aria-describedby={[hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(" ") || undefined}>
      <legend>{label}{field.optional && <span class="muted"> ({words.optional})</span>}</legend>
      <div class={inRow ? "choices in-row" : "choices"}>
        {options.map((option) => (
          <label key={option.value} class="choice">
            <input type="radio" name={`${form.id}-${name}`} value={option.value} checked={form.values[name] === option.value}
              onChange={() => form.set(name, option.value as V[typeof name])} />
            {option.icon && <Icon name={option.icon} />}
            <span class="row-text"><span class="row-title">{option.label}</span>{option.detail && <span class="row-detail">{option.detail}</span>}</span>
          </label>
        ))}
      </div>
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {fault && <p class="fault" id={`${id}-fault`}><Icon name="warning" size={16} />{fault}</p>}
    </fieldset>
  );
}

export function CheckField<V extends Values>(field: Omit<Common<V, boolean>, "label"> & { label: string; children?: Children }): JSX.Element {
  const { form, name, label, hint } = field;
  const fault = form.faults[name];
  form.label(name, label);
  return (
    <div class={fault ? "field wrong" : "field"}>
      <label class="check">
        <input {...describe(form, name, hint, fault)} name={name} type="checkbox" checked={form.values[name] as boolean}
          onChange={(event) => form.set(name, (event.target as HTMLInputElement).checked as V[typeof name])} />
        <span>{field.children ?? label}</span>
      </label>
      {hint && <p class="hint" id={`${fieldId(form, name)}-hint`}>{hint}</p>}
      {fault && <p class="fault" id={`${fieldId(form, name)}-fault`}><Icon name="warning" size={16} />{fault}</p>}
    </div>
  );
}

/** A photo by camera or from the phone, scaled before it is sent; with `pdf` a document too, which stays as it is. */
export function PhotoField({ label, hint, value, pdf, end, onChoose }: {
  label: string; hint?: string; value: Blob | undefined; pdf?: boolean; end?: Children; onChoose: (photo: Blob) => void;
}): JSX.Element {
  const [shown, setShown] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!value || !value.type.startsWith("image/")) return setShown(undefined);
    const url = URL.createObjectURL(value);
    setShown(url);
    return () => URL.revokeObjectURL(url);
  }, [value]);
  const choose = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file) onChoose(file.type.startsWith("image/") ? await scaledPhoto(file) : file);
  };
  return (
    <label class="photo">
      {shown ? <img src={shown} alt="" /> : <Icon name={value ? "document" : "camera"} size={32} />}
      <span class="row-text"><span class="row-title">{label}</span><span class="row-detail">{value ? words.changePhoto : hint ?? words.choosePhoto}</span>{end && <span class="row-state">{end}</span>}</span>
      <input type="file" class="hidden" accept={pdf ? "image/*,application/pdf" : "image/*"} onChange={(event) => void choose(event)} />
    </label>
  );
}
