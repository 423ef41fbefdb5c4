import type { Component } from "preact";
import type { Identity } from "api-types";
import { api } from "../../../shared/api/client";
import { Form, Submit, TextField, useForm } from "../../../shared/forms";
import { words } from "./words";

/** The second factor of a log-in: six digits, or a recovery code. */
export const CodeForm: Component<{ challenge: string; onDone: (answer: Identity.Session) => void }> = ({ challenge, onDone }) => {
  const form = useForm({
    initial: { code: "" },
    needed: ["code"],
    send: (values, key) => api.post("/identity/v1/sessions/second-factor", {}, { challenge, code: values.code.trim() },
      { key, beginsSession: true, anonymous: true }),
    done: onDone,
  });
  return (
    <Form form={form} label={words.factorTitle}>
      <p>{words.factorText}</p>
      <TextField form={form} name="code" label={words.factor} kind="tel" autocomplete="one-time-code" />
      <Submit form={form}>{words.go}</Submit>
    </Form>
  );
};
