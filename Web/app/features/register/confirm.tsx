import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { CodeField, Form, Submit, useForm } from "../../../shared/forms";
import { go, place, to } from "../../../shared/router";
import { Button, Empty, Screen, Skeleton, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { arrive } from "../login/arrive";
import { takeToken } from "../links/token";
import { words as links } from "../links/words";
import { words } from "./words";

const confirmed = "serai-confirmed";

/** The link of the mail, or the wait for it; or the code of the SMS. */
const Confirm: Component<ScreenProperties> = ({ query }) => {
  const [token] = useState(takeToken);
  const login = query.get("login") ?? "";
  if (token) return <ByLink token={token} />;
  return query.get("by") === "sms" ? <ByCode login={login} /> : <ForLink login={login} />;
};

const ByLink: Component<{ token: string }> = ({ token }) => {
  const [outcome, setOutcome] = useState<"waiting" | "done" | { error: unknown }>("waiting");
  useEffect(() => {
    api.post("/identity/v1/confirmations", {}, { token }, { key: newKey(), anonymous: true }).then(() => {
      localStorage.setItem(confirmed, String(Date.now()));
      setOutcome("done");
    }, (error) => setOutcome({ error }));
  }, []);
  if (outcome === "waiting") return <Screen title={words.confirmTitle} plain><Skeleton rows={2} /></Screen>;
  if (outcome === "done") {
    return <Screen title={links.confirmed} quiet><Empty icon="check" title={links.confirmed} text={links.confirmedText}><Button href={to("login")}>{links.logIn}</Button></Empty></Screen>;
  }
  return (
    <Screen title={links.refused} quiet>
      <Empty icon="warning" title={links.refused} text={textOf(outcome.error)}><Button href={to("login")}>{links.logIn}</Button></Empty>
    </Screen>
  );
};

const Again: Component<{ login: string }> = ({ login }) => {
  const form = useForm({
    initial: {},
    send: (_, key) => api.post("/identity/v1/confirmations/resend", {}, { login }, { key, anonymous: true }),
    done: () => toast(words.sentAgain),
  });
  return <Form form={form}><Submit form={form} kind="quiet">{words.again}</Submit></Form>;
};

const ForLink: Component<{ login: string }> = ({ login }) => {
  const next = `login?login=${encodeURIComponent(login)}`;
  useEffect(() => {
    const hear = (event: StorageEvent): void => {
      if (event.key === confirmed) go(next, { replace: true });
    };
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }, []);
  return (
    <Screen title={words.confirmTitle} back="welcome" plain>
      <Empty icon="mail" title={links.lookIntoMail} text={words.mailSent(login)} />
      <p class="hint center">{words.mailWait}</p>
      <div class="actions"><Button kind="second" href={to(next)}>{words.toLogIn}</Button></div>
      <Again login={login} />
    </Screen>
  );
};

const ByCode: Component<{ login: string }> = ({ login }) => {
  const form = useForm({
    initial: { code: "" },
    needed: ["code"],
    send: (values, key) => api.post("/identity/v1/confirmations/code", {},
      { login, secret: sessionStorage.getItem("serai-confirm") ?? undefined, code: values.code }, { key, beginsSession: true, anonymous: true }),
    done: (answer) => {
      if (place.get().market === "hajji") toast(words.registered);
      arrive(answer);
    },
  });
  return (
    <Screen title={words.confirmTitle} back="welcome" plain>
      <p>{words.codeSent(login)}</p>
      <Form form={form}>
        <CodeField form={form} name="code" label={words.code} />
        <Submit form={form}>{words.confirm}</Submit>
      </Form>
      <Again login={login} />
    </Screen>
  );
};

export default Confirm;
