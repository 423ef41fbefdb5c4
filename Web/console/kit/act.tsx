import type { Children, Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { Problem } from "../../shared/api/problem";
import { Cell, useCell } from "../../shared/cell";
import { CheckField, ChoiceField, Faults, Form, FormState, LongTextField, SelectField, Submit, TextField, useForm } from "../../shared/forms";
import { invalidate } from "../../shared/resources";
import { place, to } from "../../shared/router";
import { session } from "../../shared/session";
import { Button, Note, Sheet, toast, uiWords } from "../../shared/ui";
import { countAgain } from "../counts";
import { rankIn, useMay } from "../rights";
import { words } from "./words";

/** What somebody types or chooses for an act; all of them are texts, but for a `check`. */
export type ActValues = Record<string, string | boolean>;
export interface ActField {
  name: string;
  label: string;
  kind?: "text" | "long" | "amount" | "digits" | "email" | "tel" | "date" | "datetime-local" | "time" | "select" | "choice" | "check";
  options?: { value: string; label: string; detail?: string }[];
  hint?: Children;
  initial?: string | boolean;
  optional?: boolean;
  maximum?: number;
  /** Takes half of the line where there is room: a text in two languages stands side by side. */
  half?: boolean;
  /** Asked only when the others say so. */
  when?: (values: ActValues) => boolean;
}

export interface ActSettings<A = unknown> {
  /** The button, named by what it does: `Ban`. */
  label: string;
  /** The question, naming the thing: `Ban Huda Salem`. */
  title: string;
  /** What it will change. */
  text?: Children;
  look?: "primary" | "second" | "danger" | "quiet";
  fields?: ActField[];
  check?: (values: ActValues) => Faults<ActValues>;
  send: (values: ActValues, key: string) => Promise<A>;
  /** Where the answer says something of its own, such as that a second admin is needed. */
  told?: (answer: A, values: ActValues) => string | undefined;
  done?: (answer: A) => void;
  /** What is read again after it, and after a conflict. */
  tags?: string[];
  pointers?: Record<string, string>;
  /** Somebody types: called with each change. */
  typed?: () => void;
}

/** The field of a reason, which most acts ask for. */
export const reasonField = (more: Partial<ActField> = {}): ActField => ({ name: "reason", label: words.reason, kind: "long", maximum: 500, ...more });

/** Reads what bears the tags now, and some moments later: one service tells of what another has done when it has heard of it. */
export function readAgain(...tags: string[]): void {
  for (const seconds of [0, 1.5, 6]) setTimeout(() => invalidate(...tags), seconds * 1000);
}

/** For acts on money that a second admin may have to approve: says so where the answer is such an approval. */
export const secondApproval = (answer: object): string | undefined => ("approval" in answer ? words.waitsForSecond : undefined);

/** The choices of a field, from names by value. */
export const optionsOf = (names: Record<string, string>): { value: string; label: string }[] => Object.entries(names).map(([value, label]) => ({ value, label }));

const opened = new Cell<(ActSettings & { id: number }) | undefined>(undefined);
let count = 0;
/** Asks for an act from elsewhere than its button. What somebody may not do is not asked. */
export function openAct<A>(settings: ActSettings<A>): void {
  const rank = rankIn(session.get().roles, place.get().market);
  if (rank === "master" || rank === "admin") opened.set({ ...(settings as ActSettings), id: ++count });
}

/** A button with its question: what it changes, a reason, and what the services say against it. Hidden from whoever only reads. */
export function Act<A>({ needs, small, ...settings }: ActSettings<A> & { needs?: "admin" | "master"; small?: boolean }): JSX.Element | null {
  const may = useMay(needs);
  if (!may) return null;
  return <Button kind={settings.look ?? "second"} small={small} onTap={() => openAct(settings)}>{settings.label}</Button>;
}

const choices = (field: ActField): { value: string; label: string; detail?: string }[] => field.options ?? [];

const Field: Component<{ form: FormState<ActValues>; field: ActField }> = ({ form, field }) => {
  const common = { form, name: field.name as never, label: field.label, hint: field.hint, optional: field.optional };
  switch (field.kind) {
    case "long": return <LongTextField {...common} maximum={field.maximum} />;
    case "select": return <SelectField {...common} options={choices(field)} placeholder={field.optional || field.initial === undefined ? "" : undefined} />;
    case "choice": return <ChoiceField {...common} options={choices(field)} />;
    case "check": return <CheckField {...common} />;
    default: return <TextField {...common} kind={field.kind} maximum={field.maximum} />;
  }
};

/** Refusals that mean that the thing is not any more what was on the screen. */
const isConflict = (problem: Problem): boolean =>
  problem.status === 412 || (problem.status === 409 && /-(changed|decided|closed|state|ended|item-taken)$/.test(problem.slug));

const isMissing = (field: ActField, values: ActValues): boolean =>
  !field.optional && field.kind !== "check" && !String(values[field.name] ?? "").trim();

const Dialog: Component<{ settings: ActSettings }> = ({ settings }) => {
  const [conflict, setConflict] = useState<Problem | undefined>(undefined);
  const fields = settings.fields ?? [];
  const asked = (values: ActValues): ActField[] => fields.filter((field) => !field.when || field.when(values));
  const close = (): void => opened.set(undefined);
  const again = (): void => {
    readAgain(...(settings.tags ?? []));
    countAgain();
  };
  const form = useForm<ActValues, unknown>({
    initial: Object.fromEntries(fields.map((field) => [field.name, field.initial ?? (field.kind === "check" ? false : "")])),
    check: (values) => {
      const faults = settings.check?.(values) ?? {};
      // What is asked for depends on what was chosen.
      return Object.fromEntries(asked(values).map((field) => [field.name, faults[field.name] || (isMissing(field, values) && uiWords.needed)]));
    },
    send: settings.send,
    done: (answer, values) => {
      close();
      again();
      toast(settings.told?.(answer, values) ?? words.done(settings.label), { href: to("audit"), text: words.inAudit });
      settings.done?.(answer);
    },
    refused: (problem) => {
      if (!isConflict(problem)) return false;
      setConflict(problem);
      again();
      return true;
    },
    pointers: settings.pointers,
  });
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) settings.typed?.();
    isFirst.current = false;
  }, [form.values]);
  return (
    <Sheet title={settings.title} onClose={close}>
      {settings.text && <div class="act-text">{settings.text}</div>}
      {conflict && (
        <Note tone="warning" live>
          <strong>{conflict.slug.endsWith("-state") ? words.notNow : words.changed}</strong><p>{conflict.text}</p>
          {typeof conflict.body.value === "string" && <p>{words.nowIs(conflict.body.value)}</p>}
          <p>{words.changedText}</p>
        </Note>
      )}
      <Form form={form} label={settings.title}>
        <div class="act-fields">{asked(form.values).map((field) => <div key={field.name} class={field.half ? "half" : undefined}><Field form={form} field={field} /></div>)}</div>
        <div class="act-buttons">
          <Button kind="second" onTap={close}>{conflict ? words.close : words.cancel}</Button>
          {!conflict && <Submit form={form} kind={settings.look === "danger" ? "danger" : "primary"}>{settings.label}</Submit>}
        </div>
      </Form>
    </Sheet>
  );
};

/** Where questions of acts appear; once, in the console's root, so that one stays when its thing has left the list. */
export const Acts: Component = () => {
  const settings = useCell(opened);
  return settings ? <Dialog key={settings.id} settings={settings} /> : null;
};
