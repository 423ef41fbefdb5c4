import type { Component } from "preact";
import type { Identity } from "api-types";
import { useEffect, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { CodeField, Form, PasswordField, Submit, useForm } from "../../../shared/forms";
import { language } from "../../../shared/language";
import { go } from "../../../shared/router";
import { Button, Empty, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { arrive } from "./arrive";
import { begunNafath, forgetNafath } from "./nafath-start";
import { words } from "./words";

const open = { beginsSession: true, anonymous: true };

/** Where Nafath sends people back to, with a code that is good once. */
const NafathReturn: Component<ScreenProperties> = ({ query }) => {
  const [owner, setOwner] = useState<Identity.NafathOwnerNeeded | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const begun = begunNafath();
  const finish = (answer: Identity.Session): void => {
    forgetNafath();
    go(`/${begun?.market}/${begun?.to ? `?to=${encodeURIComponent(begun.to)}` : ""}`, { replace: true });
    arrive(answer);
  };
  useEffect(() => {
    const [code, state] = [query.get("code"), query.get("state")];
    if (!begun || !code || !state) return setFailure("");
    language.set(begun.language);
    api.post("/identity/v1/sessions/nafath/finish", {}, { code, state, secret: begun.secret }, { ...open, key: newKey() })
      .then((answer) => ("ticket" in answer ? setOwner(answer) : finish(answer)), (error) => setFailure(textOf(error)));
  }, []);
  if (owner) return <Owner ticket={owner.ticket} ways={owner.ways} onDone={finish} />;
  if (failure !== undefined) {
    return (
      <Screen title={words.nafathFailed} quiet>
        <Empty icon="warning" title={words.nafathFailed} text={failure}>
          <Button href={`/${begun?.market ?? "assef"}/login`}>{words.nafathAgain}</Button>
        </Empty>
      </Screen>
    );
  }
  return <Screen title={words.finishing} plain><Skeleton rows={2} /></Screen>;
};

const Owner: Component<{ ticket: string; ways: string[]; onDone: (answer: Identity.Session) => void }> = ({ ticket, ways, onDone }) => {
  const [isSent, setSent] = useState(false);
  const send = (proof: { password: string } | { code: string }, key: string): Promise<Identity.Session> =>
    api.post("/identity/v1/sessions/nafath/link", {}, { ticket, ...proof }, { ...open, key });
  const byCode = useForm({ initial: { code: "" }, needed: ["code"], send: (values, key) => send(values, key), done: onDone });
  const byPassword = useForm({ initial: { password: "" }, needed: ["password"], send: (values, key) => send(values, key), done: onDone });
  const ask = useForm({
    initial: {}, send: () => api.post("/identity/v1/sessions/nafath/code", {}, { ticket }, { anonymous: true }), done: () => setSent(true),
  });
  return (
    <Screen title={words.ownerTitle} plain>
      <p>{words.ownerText}</p>
      {ways.includes("sms") && (isSent
        ? <Form form={byCode}><CodeField form={byCode} name="code" label={words.smsCode} /><Submit form={byCode}>{words.go}</Submit></Form>
        : <Form form={ask}><Submit form={ask}>{words.byCode}</Submit></Form>)}
      {ways.includes("password") && (
        <Form form={byPassword}>
          <PasswordField form={byPassword} name="password" label={words.password} />
          <Submit form={byPassword} kind="second">{words.byPassword}</Submit>
        </Form>
      )}
    </Screen>
  );
};

export default NafathReturn;
