import type { Identity } from "api-types";
import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../shared/api/client";
import { useForm, Form, PasswordField, Submit, TextField } from "../shared/forms";
import { askedDeletion, beginSession, logOut, session } from "../shared/session";
import { go } from "../shared/router";
import { Button, Sheet } from "../shared/ui";
import { CodeForm } from "./features/login/code";
import { loginName } from "./features/login/name";
import { words as login } from "./features/login/words";
import { words } from "./words";

/** Somebody else sees nothing of what was typed. */
function goOn(answer: Identity.Session): void {
  const former = session.get().account;
  beginSession(answer);
  if (answer.account !== former) location.reload();
}

/** Over the page when the session has ended: what was typed beneath stays. */
const LogInAgain: Component = () => {
  const [isDeleted, setDeleted] = useState(false);
  useEffect(() => {
    const deletion = askedDeletion();
    if (deletion) void api.get("/identity/v1/deletions/{deletion}", { deletion }).then((found) => setDeleted(found.state === "granted"), () => undefined);
  }, []);
  const [challenge, setChallenge] = useState<string | undefined>(undefined);
  const form = useForm({
    initial: { login: "", password: "" },
    needed: ["login", "password"],
    send: (values, key) => api.post("/identity/v1/sessions", {}, { ...values, login: loginName(values.login) }, { key, beginsSession: true, anonymous: true }),
    done: (answer) => ("challenge" in answer ? setChallenge(answer.challenge) : goOn(answer)),
  });
  if (isDeleted) {
    return (
      <Sheet title={words.deleted} onClose={() => undefined} locked>
        <p>{words.deletedText}</p>
        <Button onTap={() => { go("welcome", { replace: true }); void logOut(); }}>{words.home}</Button>
      </Sheet>
    );
  }
  return (
    <Sheet title={words.again} onClose={() => undefined} locked>
      <p>{words.againText}</p>
      {challenge ? <CodeForm challenge={challenge} onDone={goOn} /> : (
        <Form form={form}>
          <TextField form={form} name="login" label={login.name} autocomplete="username" />
          <PasswordField form={form} name="password" label={login.password} />
          <Submit form={form}>{login.logIn}</Submit>
        </Form>
      )}
      <Button kind="quiet" onTap={() => void logOut()}>{login.logOut}</Button>
    </Sheet>
  );
};

export default LogInAgain;
