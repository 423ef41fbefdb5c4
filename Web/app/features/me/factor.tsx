import type { Component } from "preact";
import { useState } from "preact";
import type { Identity } from "api-types";
import { api } from "../../../shared/api/client";
import { CodeField, Form, PasswordField, Submit, TextField, useForm } from "../../../shared/forms";
import { invalidate, useGet } from "../../../shared/resources";
import { back } from "../../../shared/router";
import { Button, Loaded, Note, Screen, Section, toast } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

const Begin: Component<{ onBegun: (enrolled: Identity.Enrolled) => void }> = ({ onBegun }) => {
  const form = useForm({
    initial: { password: "" },
    send: (values, key) => api.post("/identity/v1/accounts/me/second-factor", {}, { password: values.password || undefined }, { key }),
    done: onBegun,
  });
  return (
    <Form form={form}>
      <p>{words.factorOff}</p>
      <PasswordField form={form} name="password" label={words.passwordNow} />
      <Submit form={form}>{words.factorBegin}</Submit>
    </Form>
  );
};

const Confirm: Component<{ enrolled: Identity.Enrolled; onDone: (codes: string[]) => void }> = ({ enrolled, onDone }) => {
  const form = useForm({
    initial: { code: "" },
    needed: ["code"],
    send: (values, key) => api.post("/identity/v1/accounts/me/second-factor/confirmation", {}, { code: values.code }, { key }),
    done: (answer) => onDone(answer.recoveryCodes),
  });
  return (
    <Form form={form}>
      <p>{words.factorScan}</p>
      <div class="card"><code dir="ltr">{(enrolled.secret.match(/.{1,4}/g) ?? []).join(" ")}</code></div>
      <Button kind="second" href={enrolled.uri}>{words.factorOpen}</Button>
      <CodeField form={form} name="code" label={words.factorCode} />
      <Submit form={form}>{words.done}</Submit>
    </Form>
  );
};

/** Other recovery codes in the place of the old ones. */
const Renew: Component<{ left: number; onDone: (codes: string[]) => void }> = ({ left, onDone }) => {
  const form = useForm({
    initial: { password: "" },
    send: (values, key) => api.post("/identity/v1/accounts/me/second-factor/recovery-codes", {}, { password: values.password || undefined } as never, { key }),
    done: (answer) => onDone(answer.recoveryCodes),
  });
  return (
    <Section title={words.newCodes}>
      <Form form={form}>
        <p class="muted">{words.codesLeft(left)}. {words.newCodesText}</p>
        <PasswordField form={form} name="password" label={words.passwordNow} />
        <Submit form={form} kind="second">{words.newCodes}</Submit>
      </Form>
    </Section>
  );
};

const Remove: Component = () => {
  const form = useForm({
    initial: { code: "", password: "" },
    needed: ["code"],
    send: (values, key) => api.post("/identity/v1/accounts/me/second-factor/removal", {}, { code: values.code.trim(), password: values.password || undefined } as never, { key }),
    done: () => {
      invalidate("factor");
      toast(words.saved);
      back("me/security");
    },
  });
  return (
    <Section title={words.factorRemove}>
    <Form form={form}>
      <TextField form={form} name="code" label={words.factorCode} kind="tel" autocomplete="one-time-code" />
      <PasswordField form={form} name="password" label={words.passwordNow} />
      <Submit form={form} kind="danger">{words.factorRemove}</Submit>
    </Form>
    </Section>
  );
};

/** The authenticator app of the account: set up, or removed. */
export const Factor: Component<PartProperties> = () => {
  const factor = useGet("/identity/v1/accounts/me/second-factor", {}, ["factor"]);
  const [enrolled, setEnrolled] = useState<Identity.Enrolled | undefined>(undefined);
  const [codes, setCodes] = useState<string[] | undefined>(undefined);
  return (
    <Screen title={words.factor} back="me/security">
      {codes ? (
        <div class="stack">
          <p>{words.recovery}</p>
          <div class="card"><pre dir="ltr">{codes.join("\n")}</pre></div>
          <Button onTap={() => { invalidate("factor"); back("me/security"); }}>{words.done}</Button>
        </div>
      ) : enrolled ? <Confirm enrolled={enrolled} onDone={setCodes} /> : (
        <Loaded of={factor}>{(found) => (found.enrolled ? <><Note tone="good">{words.factorOn}</Note><Renew left={found.recoveryCodes} onDone={setCodes} /><Remove /></> : <Begin onBegun={setEnrolled} />)}</Loaded>
      )}
    </Screen>
  );
};
