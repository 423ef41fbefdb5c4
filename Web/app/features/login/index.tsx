import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { Form, PasswordField, Submit, TextField, useForm } from "../../../shared/forms";
import { go, place, to } from "../../../shared/router";
import { Button, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Mark } from "../../nav";
import { takes, useSignUp } from "../../signup";
import { arrive } from "./arrive";
import { CodeForm } from "./code";
import { beginNafath } from "./nafath-start";
import { loginName } from "./name";
import { words } from "./words";

const LogIn: Component<ScreenProperties> = ({ query }) => {
  const [challenge, setChallenge] = useState<string | undefined>(undefined);
  const found = useSignUp();
  const rules = found.value;
  const byNafath = takes(rules, "nafath");
  const [isChosen, setChosen] = useState(query.has("password"));
  const isByPassword = isChosen || !byNafath;
  const form = useForm({
    initial: { login: query.get("login") ?? "", password: "" },
    needed: ["login", "password"],
    keep: { name: "login", secret: ["password"] },
    send: (values, key) => api.post("/identity/v1/sessions", {}, { ...values, login: loginName(values.login) },
      { key, beginsSession: true, anonymous: true }),
    done: (answer) => ("challenge" in answer ? setChallenge(answer.challenge) : arrive(answer)),
    refused: (problem, values) => {
      if (problem.slug !== "not-confirmed") return false;
      go(`confirm?by=${String(problem.body.confirmation)}&login=${encodeURIComponent(loginName(values.login))}`);
      return true;
    },
  });
  // What one signs in with is the market's to say.
  if (!rules && !found.error) return <Screen title={words.title} back="welcome" plain><Skeleton rows={3} /></Screen>;
  if (challenge) {
    return <Screen title={words.factorTitle} back="login" plain><CodeForm challenge={challenge} onDone={arrive} /></Screen>;
  }
  return (
    <Screen title={words.title} back="welcome" plain>
      <div class="brand"><Mark market={place.get().market} /></div>
      {byNafath && <NafathButton />}
      {isByPassword ? (
        <Form form={form} label={words.title}>
          <TextField form={form} name="login" label={words.name} autocomplete="username" />
          <PasswordField form={form} name="password" label={words.password} />
          <Submit form={form} kind={byNafath ? "second" : "primary"}>{words.logIn}</Submit>
          <div class="actions">
            <Button kind="quiet" href={to("forgot")}>{words.forgot}</Button>
            {takes(rules, "password") && <Button kind="quiet" href={to("register")}>{words.create}</Button>}
          </div>
        </Form>
      ) : <Button kind="quiet" onTap={() => setChosen(true)}>{words.otherwise}</Button>}
    </Screen>
  );
};

export const NafathButton: Component = () => {
  const form = useForm({ initial: {}, send: () => beginNafath(place.get().market, place.get().query.get("to") ?? ""), done: () => undefined });
  return (
    <Form form={form}>
      <Submit form={form} icon="shield">{words.nafath}</Submit>
      <p class="hint center">{words.nafathText}</p>
    </Form>
  );
};

export default LogIn;
