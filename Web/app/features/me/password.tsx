import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { Form, PasswordField, Submit, useForm } from "../../../shared/forms";
import { back } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Note, Screen, toast } from "../../../shared/ui";
import { isStrong } from "../register/index";
import type { PartProperties } from "./index";
import { words } from "./words";

export const ChangePassword: Component<PartProperties> = () => {
  const form = useForm({
    initial: { oldPassword: "", newPassword: "" },
    needed: ["oldPassword"],
    check: (values) => ({ newPassword: !isStrong(values.newPassword) && words.passwordHint }),
    send: (values, key) => api.post("/identity/v1/accounts/me/password", {}, values, { key }),
    done: () => {
      session.set({ ...session.get(), asks: session.get().asks.filter((one) => one !== "change-password") });
      toast(words.passwordChanged);
      back("me/security");
    },
  });
  return (
    <Screen title={words.changePassword} back="me/security" footer={<Submit form={form}>{words.changePassword}</Submit>}>
      <Form form={form}>
        <PasswordField form={form} name="oldPassword" label={words.oldPassword} />
        <PasswordField form={form} name="newPassword" label={words.newPassword} hint={words.passwordHint} isNew />
        <Note>{words.changePasswordText}</Note>
      </Form>
    </Screen>
  );
};
