import type { Children, Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { newKey } from "../api/client";
import { isOnline } from "../api/connection";
import { Failure, isDecided, NoConnection, Problem, textOf } from "../api/problem";
import { useCell } from "../cell";
import { ButtonKind, Icon } from "../ui/kit";
import { words } from "../ui/words";

export type Values = Record<string, string | boolean | number | undefined>;
export type Faults<V> = { [K in keyof V]?: string | false | undefined };

export interface FormSettings<V extends Values, A> {
  /** What the fields hold at first. */
  initial: V;
  /** All that is wrong, each beside its field, before anything is sent. Names of required fields alone can be given in `needed`. */
  check?: (values: V) => Faults<V>;
  needed?: (keyof V)[];
  /** Sends the values. The key is the same until an answer has come, so that what was sent twice is done once. */
  send: (values: V, key: string) => Promise<A>;
  done: (answer: A, values: V) => void;
  /** A refusal with a meaning of its own: true if it was dealt with. */
  refused?: (problem: Problem, values: V) => boolean | void;
  /** Where the API's names differ: `{ "/address/name": "place" }`. */
  pointers?: Record<string, keyof V>;
  /** Kept in this tab under the name until it is sent, but for the fields that are secret. */
  keep?: { name: string; secret?: (keyof V)[] };
}

export interface FormState<V extends Values> {
  id: string;
  values: V;
  faults: Faults<V>;
  /** What is wrong with all of it. */
  fault?: string;
  /** How often it was refused: each time its summary is read out. */
  refusals: number;
  isBusy: boolean;
  set: <K extends keyof V>(name: K, value: V[K]) => void;
  submit: () => Promise<void>;
  label: (name: keyof V, label: string) => void;
  labels: Map<keyof V, string>;
}

function restored<V extends Values>(settings: Pick<FormSettings<V, unknown>, "initial" | "keep">): V {
  if (!settings.keep) return settings.initial;
  try {
    return { ...settings.initial, ...(JSON.parse(sessionStorage.getItem(`form-${settings.keep.name}`) ?? "{}") as Partial<V>) };
  } catch {
    return settings.initial;
  }
}

let count = 0;

/** The state of a form. Hand it to `Form` and to its fields. */
export function useForm<V extends Values, A>(settings: FormSettings<V, A>): FormState<V> {
  const [id] = useState(() => `form${++count}`);
  const [values, setValues] = useState<V>(() => restored(settings));
  const [problems, setProblems] = useState<{ faults: Faults<V>; fault?: string; refusals: number }>({ faults: {}, refusals: 0 });
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);
  const key = useRef(newKey());
  const current = useRef(values);
  const labels = useRef(new Map<keyof V, string>());

  const set = <K extends keyof V>(name: K, value: V[K]): void => {
    current.current = { ...current.current, [name]: value };
    setValues(current.current);
    setProblems((old) => (old.faults[name] ? { ...old, faults: { ...old.faults, [name]: undefined } } : old));
    if (settings.keep) {
      const open = { ...current.current };
      settings.keep.secret?.forEach((secret) => delete open[secret]);
      sessionStorage.setItem(`form-${settings.keep.name}`, JSON.stringify(open));
    }
  };

  const refuse = (faults: Faults<V>, fault?: string): void => setProblems((old) => ({ faults, fault, refusals: old.refusals + 1 }));

  const check = (given: V): Faults<V> => {
    const faults = { ...settings.check?.(given) } as Faults<V>;
    for (const name of settings.needed ?? []) {
      const value = given[name];
      if (!faults[name] && (value === undefined || value === false || (typeof value === "string" && !value.trim()))) faults[name] = words.needed;
    }
    return faults;
  };

  const dealWith = (problem: Problem, given: V): void => {
    if (settings.refused?.(problem, given)) return;
    const faults: Faults<V> = {};
    const others: string[] = [];
    for (const error of problem.errors) {
      const name = settings.pointers?.[error.field] ?? (error.field.slice(1).replace(/\//g, ".") as keyof V);
      if (name in given) faults[name] ??= error.detail;
      else others.push(error.detail);
    }
    const isAllNamed = problem.errors.length > 0 && others.length === 0;
    refuse(faults, isAllNamed ? undefined : others.length ? others.join(" ") : problem.text);
  };

  const submit = async (): Promise<void> => {
    if (isSending.current) return;
    const given = current.current;
    const faults = check(given);
    if (Object.values(faults).some(Boolean)) return refuse(faults);
    isSending.current = true;
    setBusy(true);
    try {
      const answer = await settings.send(given, key.current);
      key.current = newKey();
      if (settings.keep) sessionStorage.removeItem(`form-${settings.keep.name}`);
      setProblems((old) => ({ ...old, faults: {}, fault: undefined }));
      settings.done(answer, given);
    } catch (error) {
      if (isDecided(error)) key.current = newKey();
      if (error instanceof Problem) {
        dealWith(error, given);
      } else {
        refuse({}, error instanceof NoConnection ? words.keptOffline : textOf(error));
        if (!(error instanceof Failure)) console.error(error);
      }
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };

  return { id, values, ...problems, isBusy, set, submit, labels: labels.current, label: (name, text) => labels.current.set(name, text) };
}

export const fieldId = <V extends Values>(form: FormState<V>, name: keyof V): string => `${form.id}-${String(name).replace(/ /g, "-")}`;

/** A form with its summary of what is wrong: each line leads to its field. */
export function Form<V extends Values>({ form, children, label }: { form: FormState<V>; children?: Children; label?: string }): JSX.Element {
  const summary = useRef<HTMLDivElement | null>(null);
  useEffect(() => {
    if (form.refusals) summary.current?.focus();
  }, [form.refusals]);
  const wrong = Object.entries(form.faults).filter(([, text]) => text) as [string, string][];
  return (
    <form id={form.id} class="form" aria-label={label} noValidate onSubmit={(event) => { event.preventDefault(); void form.submit(); }}>
      {(wrong.length > 0 || form.fault) && (
        <div ref={summary} class="summary" role="alert" tabIndex={-1}>
          {form.fault && <p>{form.fault}</p>}
          {wrong.length > 1 && <p>{words.faults(wrong.length)}</p>}
          {wrong.length > 0 && (
            <ul class={wrong.length === 1 ? "plain" : undefined}>
              {wrong.map(([name, text]) => (
                <li key={name}>
                  <a href={`#${fieldId(form, name)}`} onClick={(event) => { event.preventDefault(); document.getElementById(fieldId(form, name))?.focus(); }}>
                    {form.labels.get(name) ?? name}: {text}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {children}
    </form>
  );
}

/** The form's button; it may stand outside of the form, in a screen's footer. */
export const Submit: Component<{ form: { id: string; isBusy: boolean }; kind?: ButtonKind; icon?: string }> = ({ form, kind, icon, children }) => {
  const online = useCell(isOnline);
  return (
    <>
      {!online && <p class="hint">{words.keptOffline}</p>}
      <button type="submit" form={form.id} class={`button wide ${kind ?? "primary"}`} aria-busy={form.isBusy || undefined}>
        {icon && <Icon name={icon} />}<span>{children}</span>{form.isBusy && <span class="spinner" role="status" aria-label={words.sending} />}
      </button>
    </>
  );
};
