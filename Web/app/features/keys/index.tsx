import type { Component } from "preact";
import type { Identity, Notifications } from "api-types";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { ago, date } from "../../../shared/format";
import { CheckField, Form, SelectField, Submit, TextField, useForm } from "../../../shared/forms";
import { invalidate, useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { ask, Badge, Button, Empty, List, Loaded, Row, Screen, Section, Sheet, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Secret } from "./secret";
import { words } from "./words";

type Key = Identity.APIKey;
type Scope = "orders:read" | "orders:write" | "webhooks:manage";

const NewKey: Component<{ market: string; onMade: (key: Key) => void; onClose: () => void }> = ({ market, onMade, onClose }) => {
  const form = useForm({
    initial: { name: "", read: true, write: false, hooks: false, days: "365" },
    needed: ["name"],
    check: (values) => ({ read: !values.read && !values.write && !values.hooks && words.needScope }),
    pointers: { "/scopes": "read" },
    send: (values, key) => {
      const scopes: Scope[] = [...(values.read ? ["orders:read" as const] : []), ...(values.write ? ["orders:write" as const] : []), ...(values.hooks ? ["webhooks:manage" as const] : [])];
      return api.post("/identity/v1/accounts/me/api-keys", {}, { market, name: values.name.trim(), scopes, days: Number(values.days) }, { key });
    },
    done: (made) => { invalidate("api-keys"); onMade(made); },
  });
  return (
    <Sheet title={words.newKey} onClose={onClose}>
      <Form form={form} label={words.newKey}>
        <TextField form={form} name="name" label={words.name} hint={words.nameHint} maximum={60} />
        <fieldset class="field">
          <legend>{words.may}</legend>
          <CheckField form={form} name="read" label={words.read} />
          <CheckField form={form} name="write" label={words.write} />
          <CheckField form={form} name="hooks" label={words.webhooks_} />
        </fieldset>
        <SelectField form={form} name="days" label={words.days} options={[{ value: "30", label: words.month }, { value: "365", label: words.year }, { value: "730", label: words.twoYears }]} />
        <Submit form={form}>{words.newKey}</Submit>
      </Form>
    </Sheet>
  );
};

const NewHook: Component<{ market: string; onMade: (hook: Notifications.Webhook) => void; onClose: () => void }> = ({ market, onMade, onClose }) => {
  const form = useForm({
    initial: { url: "" },
    check: (values) => ({ url: !/^https:\/\/\S+\.\S+/.test(values.url.trim()) && words.badURL }),
    send: (values, key) => api.post("/notifications/v1/webhooks", {}, { market, url: values.url.trim() }, { key }),
    done: (made) => { invalidate("webhooks"); onMade(made); },
  });
  return (
    <Sheet title={words.newHook} onClose={onClose}>
      <Form form={form} label={words.newHook}>
        <TextField form={form} name="url" kind="email" label={words.url} hint={words.urlHint} maximum={2000} />
        <Submit form={form}>{words.newHook}</Submit>
      </Form>
    </Sheet>
  );
};

async function revoke(key: Key): Promise<void> {
  if (!(await ask({ title: words.revokeAsk(key.name), text: words.revokeText, yes: words.revoke, danger: true }))) return;
  try {
    await api.delete("/identity/v1/accounts/me/api-keys/{key}", { key: key.key });
    toast(words.revoked);
  } catch (error) {
    toast(textOf(error));
  }
  invalidate("api-keys");
}

/** Keys by which one's own programs act, and servers that are told how orders stand. */
const Keys: Component<ScreenProperties> = () => {
  const { market } = usePlace();
  const keys = useGet("/identity/v1/accounts/me/api-keys", {}, ["api-keys"]);
  const hooks = useGet("/notifications/v1/webhooks", {}, ["webhooks"]);
  const [open, setOpen] = useState<"key" | "hook" | undefined>(undefined);
  const [secret, setSecret] = useState<{ title: string; secret: string } | undefined>(undefined);
  const made = (title: string, value: string | undefined): void => {
    setOpen(undefined);
    if (value) setSecret({ title, secret: value });
  };
  return (
    <Screen title={words.title} back="me">
      <p class="muted">{words.text}</p>
      <Section title={words.keys}>
        <Loaded of={keys}>
          {(found) => {
            const items = found.items.filter((one) => one.market === market);
            return items.length === 0 ? <Empty icon="key" title={words.noKeys} /> : (
              <List label={words.keys}>
                {items.map((one) => (
                  <Row key={one.key} icon="key" title={<bdi>{one.name}</bdi>}
                    detail={[words.until(date(one.expiresAt)), one.lastUsedAt ? words.used(ago(one.lastUsedAt)) : words.unused].join(" · ")}
                    end={one.active ? <Button kind="quiet" small label={words.revokeAsk(one.name)} onTap={() => void revoke(one)}>{words.revoke}</Button> : <Badge>{words.ended}</Badge>} />
                ))}
              </List>
            );
          }}
        </Loaded>
        <Button kind="second" icon="plus" onTap={() => setOpen("key")}>{words.newKey}</Button>
      </Section>
      <Section title={words.hooks}>
        <Loaded of={hooks}>
          {(found) => {
            const items = found.items.filter((one) => one.market === market);
            return items.length === 0 ? <Empty icon="share" title={words.noHooks} /> : (
              <List label={words.hooks}>
                {items.map((one) => (
                  <Row key={one.webhook} icon="share" title={<bdi dir="ltr" class="cut">{one.url.replace(/^https:\/\//, "")}</bdi>} href={to(`keys/${one.webhook}`)}
                    detail={!one.enabled ? words.because(one.disabledBecause ?? "owner") : one.failingSince ? words.failing(ago(one.failingSince)) : words.on} />
                ))}
              </List>
            );
          }}
        </Loaded>
        <Button kind="second" icon="plus" onTap={() => setOpen("hook")}>{words.newHook}</Button>
      </Section>
      {open === "key" && <NewKey market={market} onMade={(key) => made(key.name, key.secret)} onClose={() => setOpen(undefined)} />}
      {open === "hook" && <NewHook market={market} onMade={(hook) => made(words.hooks, hook.secret)} onClose={() => setOpen(undefined)} />}
      {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
    </Screen>
  );
};

export default Keys;
