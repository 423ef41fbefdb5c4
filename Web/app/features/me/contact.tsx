import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { CodeField, Form, PasswordField, Submit, TextField, useForm } from "../../../shared/forms";
import { invalidate } from "../../../shared/resources";
import { back } from "../../../shared/router";
import { Note, Screen, toast } from "../../../shared/ui";
import { mobileNumber } from "../register/details";
import type { PartProperties } from "./index";
import { words } from "./words";

export const ChangeEmail: Component<PartProperties> = ({ me }) => {
  const form = useForm({
    // One that is not confirmed yet gets its link by being sent again.
    initial: { email: me.value && !me.value.emailProved ? me.value.email ?? "" : "", password: "" },
    needed: ["email"],
    send: (values, key) => api.post("/identity/v1/accounts/me/email", {}, { email: values.email.trim(), password: values.password || undefined }, { key }),
    done: () => {
      invalidate("me");
      toast(words.linkSent);
      back("me/profile");
    },
  });
  return (
    <Screen title={words.email} back="me/profile" footer={<Submit form={form}>{words.change}</Submit>}>
      <Form form={form}>
        <TextField form={form} name="email" label={words.newEmail} kind="email" autocomplete="email" />
        <PasswordField form={form} name="password" label={words.passwordNow} />
        <Note icon="mail">{words.linkSent}</Note>
      </Form>
    </Screen>
  );
};

export const ChangeMobile: Component<PartProperties> = ({ me }) => {
  const [isSent, setSent] = useState(false);
  const form = useForm({
    initial: { mobile: me.value && !me.value.mobileProved ? me.value.mobile ?? "" : "", password: "" },
    needed: ["mobile"],
    send: (values, key) => api.post("/identity/v1/accounts/me/mobile", {}, { mobile: mobileNumber(values.mobile), password: values.password || undefined }, { key }),
    done: () => setSent(true),
  });
  const proof = useForm({
    initial: { code: "" },
    needed: ["code"],
    send: (values, key) => api.post("/identity/v1/accounts/me/mobile/code", {}, { code: values.code }, { key }),
    done: () => {
      invalidate("me");
      toast(words.saved);
      back("me/profile");
    },
  });
  if (isSent) {
    return (
      <Screen title={words.mobile} back="me/profile" footer={<Submit form={proof}>{words.confirm}</Submit>}>
        <Form form={proof}><CodeField form={proof} name="code" label={words.code} /></Form>
      </Screen>
    );
  }
  return (
    <Screen title={words.mobile} back="me/profile" footer={<Submit form={form}>{words.change}</Submit>}>
      <Form form={form}>
        <TextField form={form} name="mobile" label={words.newMobile} kind="tel" autocomplete="tel" />
        <PasswordField form={form} name="password" label={words.passwordNow} />
      </Form>
    </Screen>
  );
};
