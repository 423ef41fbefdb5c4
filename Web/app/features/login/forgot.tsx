import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { Form, Submit, TextField, useForm } from "../../../shared/forms";
import { to } from "../../../shared/router";
import { Button, Empty, Screen } from "../../../shared/ui";
import { loginName } from "./name";
import { words } from "./words";

const Forgot: Component = () => {
  const [isSent, setSent] = useState(false);
  const form = useForm({
    initial: { login: "" },
    needed: ["login"],
    send: (values, key) => api.post("/identity/v1/password-resets", {}, { login: loginName(values.login) }, { key, anonymous: true }),
    done: () => setSent(true),
  });
  if (isSent) {
    return (
      <Screen title={words.sentTitle} back="login" quiet>
        <Empty icon="mail" title={words.sentTitle} text={words.sentText}><Button kind="second" href={to("login")}>{words.toLogIn}</Button></Empty>
      </Screen>
    );
  }
  return (
    <Screen title={words.forgotTitle} back="login" plain>
      <p>{words.forgotText}</p>
      <Form form={form}>
        <TextField form={form} name="login" label={words.name} autocomplete="username" />
        <Submit form={form}>{words.sendLink}</Submit>
      </Form>
    </Screen>
  );
};

export default Forgot;
