import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { Form, PasswordField, Submit, useForm } from "../../../shared/forms";
import { Screen } from "../../../shared/ui";
import { isStrong } from "../register/index";
import { Outcome } from "./outcome";
import { takeToken } from "./token";
import { words } from "./words";

/** A new password, by the link of a mail: forgotten, or the first one of somebody who was invited. */
const NewPassword: Component = () => {
  const [token] = useState(takeToken);
  const [isDone, setDone] = useState(false);
  const form = useForm({
    initial: { password: "" },
    check: (values) => ({ password: !isStrong(values.password) && words.passwordHint }),
    send: (values, key) => api.post("/identity/v1/password-resets/finish", {}, { token: token ?? "", ...values }, { key, anonymous: true }),
    done: () => setDone(true),
  });
  if (!token) return <Outcome icon="warning" title={words.refused} text={words.refusedText} />;
  if (isDone) return <Outcome icon="check" title={words.saved} text={words.savedText} />;
  return (
    <Screen title={words.newPassword} plain>
      <Form form={form}>
        <PasswordField form={form} name="password" label={words.password} hint={words.passwordHint} isNew />
        <Submit form={form}>{words.save}</Submit>
      </Form>
    </Screen>
  );
};

export default NewPassword;
