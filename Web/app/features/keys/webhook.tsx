import type { Component } from "preact";
import type { Notifications } from "api-types";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { ago, dayAndTime } from "../../../shared/format";
import { Form, Submit, TextField, useForm } from "../../../shared/forms";
import { More, usePages } from "../../../shared/pages";
import { invalidate, useGet } from "../../../shared/resources";
import { back } from "../../../shared/router";
import { ask, Badge, Button, Empty, List, Loaded, Note, Row, Screen, Section, Switch, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Secret } from "./secret";
import { words } from "./words";

type Webhook = Notifications.Webhook;
const tones = { waiting: "warning", sent: "good", failed: "danger" } as const;

/** Does something with a webhook, and says how it went. */
async function attempt(act: () => Promise<unknown>, said?: string): Promise<void> {
  try {
    await act();
    if (said) toast(said);
  } catch (error) {
    toast(textOf(error));
  }
  invalidate("webhooks");
}

const Log: Component<{ id: string }> = ({ id }) => {
  const pages = usePages("/notifications/v1/webhooks/{id}/deliveries", { id, limit: 20 }, ["webhooks"], (one) => one.message);
  const items = pages.items ?? [];
  return (
    <Section title={words.log}>
      <Loaded of={pages.first}>
        {() => (items.length === 0 ? <Empty icon="inbox" title={words.noLog} /> : (
          <>
            <List label={words.log}>
              {items.map((one) => (
                <Row key={one.message} title={<bdi dir="ltr">{one.event}</bdi>}
                  detail={<>{dayAndTime(one.createdAt)}{one.lastStatus !== undefined && <> · <bdi>{one.lastStatus}</bdi></>}{one.nextAt && <> · {words.next(ago(one.nextAt))}</>}
                    <span class="row-state"><Badge tone={tones[one.state]}>{words[one.state]}</Badge></span></>}
                  end={one.state === "waiting" ? undefined : (
                    <Button kind="quiet" small onTap={() => void attempt(() => api.post("/notifications/v1/webhooks/{id}/deliveries/{message}/replay", { id, message: one.message }, undefined as never), words.tested)}>
                      {words.again}
                    </Button>)} />
              ))}
            </List>
            <More of={pages} />
          </>
        ))}
      </Loaded>
    </Section>
  );
};

const Editor: Component<{ hook: Webhook }> = ({ hook }) => {
  const id = hook.webhook;
  const [secret, setSecret] = useState<string | undefined>(undefined);
  const form = useForm({
    initial: { url: hook.url },
    check: (values) => ({ url: !/^https:\/\/\S+\.\S+/.test(values.url.trim()) && words.badURL }),
    send: (values) => api.put("/notifications/v1/webhooks/{id}", { id }, { url: values.url.trim(), events: hook.events, enabled: hook.enabled }),
    done: () => { invalidate("webhooks"); toast(words.saved); },
  });
  const turn = (enabled: boolean): Promise<void> => attempt(() => api.put("/notifications/v1/webhooks/{id}", { id }, { url: hook.url, events: hook.events, enabled }), words.saved);
  const replace = (): Promise<void> => attempt(async () => {
    if (!(await ask({ title: words.otherSecret, text: words.otherSecretText, yes: words.otherSecret }))) return;
    setSecret((await api.post("/notifications/v1/webhooks/{id}/secret", { id }, undefined as never)).secret);
  });
  const remove = (): Promise<void> => attempt(async () => {
    if (!(await ask({ title: words.removeAsk, yes: words.remove, danger: true }))) return;
    await api.delete("/notifications/v1/webhooks/{id}", { id });
    toast(words.removed);
    back("keys");
  });
  return (
    <Screen title={words.hooks} back="keys" footer={<Submit form={form}>{words.save}</Submit>}>
      {!hook.enabled && hook.disabledBecause && <Note tone="warning">{words.because(hook.disabledBecause)}</Note>}
      {hook.enabled && hook.failingSince && <Note tone="warning">{words.failing(ago(hook.failingSince))}</Note>}
      <div class="card flush"><Switch on={hook.enabled} label={words.enabled} onChange={(on) => void turn(on)} /></div>
      <Form form={form} label={words.hooks}><TextField form={form} name="url" kind="email" label={words.url} hint={words.urlHint} maximum={2000} /></Form>
      <List>
        <Row icon="play" title={words.test} onTap={() => void attempt(() => api.post("/notifications/v1/webhooks/{id}/test", { id }, undefined as never), words.tested)} />
        <Row icon="key" title={words.otherSecret} onTap={() => void replace()} />
        <Row icon="trash" title={words.remove} onTap={() => void remove()} />
      </List>
      <Log id={id} />
      {secret && <Secret title={words.hooks} secret={secret} onClose={() => setSecret(undefined)} />}
    </Screen>
  );
};

/** One webhook: where it goes, whether it is on, and what was sent. */
const WebhookScreen: Component<ScreenProperties> = ({ params }) => {
  const found = useGet("/notifications/v1/webhooks/{id}", { id: params.webhook }, ["webhooks"]);
  if (found.value) return <Editor hook={found.value} />;
  return <Screen title={words.hooks} back="keys"><Loaded of={found}>{() => null}</Loaded></Screen>;
};

export default WebhookScreen;
