import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { Money, money } from "../../../shared/format";
import { Form, PasswordField, Submit, useForm } from "../../../shared/forms";
import { rememberDeletion } from "../../../shared/session";
import { useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Button, Note, Screen, Section } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

/** Hands a text to the browser as a file. */
function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const Refused: Component<{ problem: Problem }> = ({ problem }) => {
  const orders = (problem.body.orders as string[] | undefined) ?? [];
  const owed = (problem.body.owed as Money[] | undefined) ?? [];
  const obstacles = (problem.body.obstacles as string[] | undefined) ?? [];
  return (
    <Note tone="danger" live>
      <p>{words.deleteRefused}</p>
      <ul>{problem.errors.map((error) => <li key={error.code}>{error.detail}</li>)}</ul>
      {owed.length > 0 && <p>{words.owed(owed.map((one) => money(one)).join(" · "))}</p>}
      {orders.slice(0, 3).map((order) => <p key={order}><a href={to(`o/${order}`)}>{words.openOrder}</a></p>)}
      {obstacles.includes("active-series") && <p><a href={to("series")}>{words.toSeries}</a></p>}
      {obstacles.some((one) => ["balance", "held-money", "top-up", "unpaid", "waiting-money"].includes(one)) && <p><a href={to("wallet")}>{words.toWallet}</a></p>}
    </Note>
  );
};

/** Everything that is known of the person, and the end of the account. */
export const Data: Component<PartProperties> = () => {
  const deletion = useGet("/identity/v1/accounts/me/deletion", {}, ["deletion"]);
  const [refusal, setRefusal] = useState<Problem | undefined>(undefined);
  const exporting = useForm({
    initial: { password: "" },
    send: (values) => api.post("/identity/v1/accounts/me/export", {}, { password: values.password || undefined }),
    done: (answer) => download("serai.json", JSON.stringify(answer, null, 2)),
  });
  const deleting = useForm({
    initial: { password: "" },
    send: async (values, key) => {
      if (!(await ask({ title: words.deleteAsk, text: words.deleteText, yes: words.delete, danger: true }))) return undefined;
      return api.post("/identity/v1/accounts/me/deletion", {}, { password: values.password || undefined }, { key });
    },
    done: (answer) => {
      if (!answer) return;
      rememberDeletion(answer.deletion);
      void deletion.reload();
    },
    refused: (problem) => {
      if (problem.slug !== "deletion-refused") return false;
      setRefusal(problem);
      return true;
    },
  });
  const former = deletion.error instanceof Problem && deletion.error.slug === "deletion-refused" ? deletion.error : undefined;
  return (
    <Screen title={words.data} back="me">
      <Section title={words.export}>
        <p class="muted">{words.exportText}</p>
        <Form form={exporting}>
          <PasswordField form={exporting} name="password" label={words.passwordNow} />
          <Submit form={exporting} kind="second">{words.export}</Submit>
        </Form>
      </Section>
      <Section title={words.delete}>
        {deletion.value?.state === "asked" ? <Note live>{words.deleteAsked}</Note> : (
          <>
            <p class="muted">{words.deleteText}</p>
            {(refusal ?? former) && <Refused problem={(refusal ?? former) as Problem} />}
            <Form form={deleting}>
              <PasswordField form={deleting} name="password" label={words.passwordNow} />
              <Submit form={deleting} kind="danger">{words.delete}</Submit>
            </Form>
          </>
        )}
        <Button kind="quiet" href={to("wallet")}>{words.toWallet}</Button>
      </Section>
    </Screen>
  );
};
