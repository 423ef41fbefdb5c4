import type { Identity } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { CodeForm } from "../app/features/login/code";
import { loginName } from "../app/features/login/name";
import { words as login } from "../app/features/login/words";
import { api } from "../shared/api/client";
import { CodeField, Form, PasswordField, Submit, TextField, useForm } from "../shared/forms";
import { chooseLanguage, language } from "../shared/language";
import { marketIds } from "../shared/market";
import { beginSession, logOut, renewRoles, settled } from "../shared/session";
import { Button } from "../shared/ui";
import { words } from "./words";

/** The frame of what comes before the console: one card in the middle. */
const Card: Component<{ title: string }> = ({ title, children }) => {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main class="entry">
      <div class="entry-card">
        <h1>{title}</h1>
        {children}
        <Button kind="quiet" onTap={() => chooseLanguage(language.get() === "ar" ? "en" : "ar")}>{words.language}</Button>
      </div>
    </main>
  );
};

/** By password, and with the second factor where the account has one. Afterwards the page that was wanted is there. */
export const LogIn: Component = () => {
  const [challenge, setChallenge] = useState<string | undefined>(undefined);
  const form = useForm({
    initial: { login: "", password: "" },
    needed: ["login", "password"],
    send: (values, key) => api.post("/identity/v1/sessions", {}, { ...values, login: loginName(values.login) }, { key, beginsSession: true, anonymous: true }),
    done: (answer) => ("challenge" in answer ? setChallenge(answer.challenge) : beginSession(answer)),
  });
  if (challenge) return <Card title={login.factorTitle}><CodeForm challenge={challenge} onDone={beginSession} /></Card>;
  return (
    <Card title={words.logInTo}>
      <Form form={form} label={words.logInTo}>
        <TextField form={form} name="login" label={words.login} autocomplete="username" />
        <PasswordField form={form} name="password" label={words.password} />
        <Submit form={form}>{words.logIn}</Submit>
      </Form>
      <a href={`/${marketIds[0]}/forgot`}>{words.forgot}</a>
    </Card>
  );
};

const Begin: Component<{ onBegun: (enrolled: Identity.Enrolled) => void }> = ({ onBegun }) => {
  const form = useForm({
    initial: { password: "" },
    needed: ["password"],
    send: (values, key) => api.post("/identity/v1/accounts/me/second-factor", {}, values, { key }),
    done: onBegun,
  });
  return (
    <Form form={form}>
      <p>{words.enrolText}</p>
      <PasswordField form={form} name="password" label={words.password} />
      <Submit form={form}>{words.enrolBegin}</Submit>
    </Form>
  );
};

const Confirm: Component<{ enrolled: Identity.Enrolled; onDone: (codes: string[]) => void }> = ({ enrolled, onDone }) => {
  const form = useForm({
    initial: { code: "" },
    needed: ["code"],
    send: (values, key) => api.post("/identity/v1/accounts/me/second-factor/confirmation", {}, values, { key }),
    done: (answer) => onDone(answer.recoveryCodes),
  });
  return (
    <Form form={form}>
      <p>{words.enrolKey}</p>
      <code class="key" dir="ltr">{(enrolled.secret.match(/.{1,4}/g) ?? []).join(" ")}</code>
      <Button kind="second" href={enrolled.uri}>{words.enrolOpen}</Button>
      <CodeField form={form} name="code" label={words.code} />
      <Submit form={form}>{words.confirm}</Submit>
    </Form>
  );
};

/** An admin's first log-in: rights come with the second factor. */
export const Enrol: Component = () => {
  const [enrolled, setEnrolled] = useState<Identity.Enrolled | undefined>(undefined);
  const [codes, setCodes] = useState<string[] | undefined>(undefined);
  const finish = async (): Promise<void> => {
    await renewRoles().catch(() => undefined);
    settled("second-factor");
  };
  return (
    <Card title={words.enrol}>
      {codes ? (
        <>
          <p>{words.recovery}</p>
          <pre class="key" dir="ltr">{codes.join("\n")}</pre>
          <Button onTap={() => void finish()}>{words.goOn}</Button>
        </>
      ) : enrolled ? <Confirm enrolled={enrolled} onDone={setCodes} /> : <Begin onBegun={setEnrolled} />}
      <Button kind="quiet" onTap={() => void logOut()}>{words.logOut}</Button>
    </Card>
  );
};

/** Somebody who is logged in and no admin anywhere. */
export const NoRights: Component = () => (
  <Card title={words.noRights}>
    <p>{words.noRightsText}</p>
    <Button href="/">{words.app}</Button>
    <Button kind="second" onTap={() => void logOut()}>{words.logOut}</Button>
  </Card>
);
