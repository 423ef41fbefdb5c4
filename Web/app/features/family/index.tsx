import type { Identity } from "api-types";
import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { CheckField, Form, LongTextField, Submit, TextField, useForm } from "../../../shared/forms";
import { invalidate, useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { ask, Avatar, Badge, Button, Card, Empty, List, Loaded, Row, Screen, Sheet, toast } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import type { ScreenProperties } from "../../features";
import { useSignUp } from "../../signup";
import { badEmail, badMobile, mobileNumber } from "../register/details";
import { words as register } from "../register/words";
import { words } from "./words";

type Link = Identity.Link;
const nameOf = (link: Link): string => link.other.name ?? words.somebody;

/** Asks a relative, who is named by the contact that the market proves. */
const AskSheet: Component<{ by: "email" | "mobile"; onClose: () => void }> = ({ by, onClose }) => {
  const { market } = usePlace();
  const isByEmail = by === "email";
  const form = useForm({
    initial: { who: "", order: true, see: true },
    needed: ["who"],
    check: (values) => ({
      who: values.who.trim() !== "" && (isByEmail ? badEmail(values.who) && register.badEmail : badMobile(values.who) && register.badMobile),
      see: !values.order && !values.see && words.needScope,
    }),
    pointers: { "/email": "who", "/mobile": "who", "/scopes": "see" },
    send: (values, key) => {
      const scopes = (["order", "see"] as const).filter((scope) => values[scope]);
      return api.post("/identity/v1/accounts/me/links", {}, { kind: "family", market, scopes, ...(isByEmail ? { email: values.who.trim() } : { mobile: mobileNumber(values.who) }) }, { key });
    },
    done: () => {
      invalidate("links");
      toast(words.sent);
      onClose();
    },
  });
  return (
    <Sheet title={words.ask} onClose={onClose}>
      <Form form={form} label={words.ask}>
        <TextField form={form} name="who" kind={isByEmail ? "email" : "tel"} label={isByEmail ? words.whoEmail : words.whoMobile} hint={words.whoHint} maximum={254} />
        <fieldset class="field"><legend>{words.what}</legend>
          <CheckField form={form} name="order" label={words.order} />
          <CheckField form={form} name="see" label={words.see} />
        </fieldset>
        <p class="hint">{words.intro}</p>
        <Submit form={form}>{words.send}</Submit>
      </Form>
    </Sheet>
  );
};

const RemovalSheet: Component<{ link: Link; onClose: () => void }> = ({ link, onClose }) => {
  const form = useForm({
    initial: { reason: "" },
    needed: ["reason"],
    send: (values, key) => api.post("/identity/v1/accounts/me/links/{link}/removal", { link: link.link }, { reason: values.reason.trim() }, { key }),
    done: (answer) => {
      toast([words.removalSent, ...(answer?.warnings ?? []).map((one) => one.text)].join(". "));
      onClose();
    },
  });
  return (
    <Sheet title={words.removalTitle(isolate(nameOf(link)))} onClose={onClose}>
      <Form form={form}>
        <p>{words.removalText}</p>
        <LongTextField form={form} name="reason" label={words.reason} maximum={500} />
        <Submit form={form} kind="danger">{words.sendRemoval}</Submit>
      </Form>
    </Sheet>
  );
};

const scopesOf = (link: Link): string => link.scopes.map((scope) => words[scope]).join(" · ");

const LinkCard: Component<{ link: Link; onRemoval: () => void }> = ({ link, onRemoval }) => {
  const [busy, setBusy] = useState<"agree" | "remove" | undefined>(undefined);
  const name = isolate(nameOf(link));
  const run = async (what: "agree" | "remove", work: () => Promise<unknown>, said: string): Promise<void> => {
    setBusy(what);
    try {
      await work();
      toast(said);
      invalidate("links");
    } catch (error) {
      toast(textOf(error));
    }
    setBusy(undefined);
  };
  const remove = async (): Promise<void> => {
    const isNew = link.state !== "confirmed";
    const question = isNew && link.asksMe ? { title: words.refuseAsk(name), yes: words.refuse } : { title: words.removeAsk(name), text: words.removeText, yes: words.remove };
    if (await ask({ ...question, danger: true })) await run("remove", () => api.delete("/identity/v1/accounts/me/links/{link}", { link: link.link }), words.removed);
  };
  const isAsked = link.state === "asked" && link.asksMe;
  return (
    <Card>
      <div class="stack">
        <div class="person">
          <Avatar name={nameOf(link)} />
          <span class="row-text">
            <span class="row-title"><bdi>{nameOf(link)}</bdi></span>
            <span class="row-detail">{isAsked ? words.asksYou : scopesOf(link)}</span>
          </span>
          {!isAsked && (
            <Badge tone={link.state === "confirmed" ? "good" : "warning"}>
              {link.state === "confirmed" ? words.linked : link.state === "agreed" ? words.waitsAdmin : words.waitsOther}
            </Badge>
          )}
        </div>
        {isAsked ? (
          <>
            <p class="muted">{scopesOf(link)}</p>
            <div class="actions in-row">
              <Button busy={busy === "agree"} onTap={() => void run("agree", () => api.post("/identity/v1/accounts/me/links/{link}/agreement", { link: link.link }, {} as never), words.agreed)}>{words.agree}</Button>
              <Button kind="second" busy={busy === "remove"} onTap={() => void remove()}>{words.refuse}</Button>
            </div>
          </>
        ) : (
          <List>
            {link.state === "confirmed" && link.scopes.includes("see") && link.other.account && <Row icon="orders" title={words.orders} href={to(`orders?of=${link.other.account}`)} />}
            <Row icon="trash" title={words.remove} onTap={() => void remove()} />
            {link.state === "confirmed" && <Row icon="person" title={words.removal} onTap={onRemoval} />}
          </List>
        )}
      </div>
    </Card>
  );
};

/** Relatives: asked, agreed, approved by an admin, removed. */
const Family: Component<ScreenProperties> = () => {
  const { market } = usePlace();
  const links = useGet("/identity/v1/accounts/me/links", {}, ["links", "inbox"]);
  const by = useSignUp().value?.roles.find((rule) => rule.asksFamily)?.familyBy;
  const [isAsking, setAsking] = useState(false);
  const [removal, setRemoval] = useState<Link | undefined>(undefined);
  return (
    <Screen title={words.title} back="me" footer={<Button icon="plus" onTap={() => setAsking(true)}>{words.ask}</Button>}>
      <Loaded of={links}>
        {(found) => {
          const family = found.items.filter((link) => link.kind === "family" && (!link.market || link.market === market));
          const sorted = [...family].sort((a, b) => Number(b.asksMe) - Number(a.asksMe));
          return sorted.length === 0 ? <Empty icon="people" title={words.none} text={words.intro} />
            : <div class="stack">{sorted.map((link) => <LinkCard key={link.link} link={link} onRemoval={() => setRemoval(link)} />)}</div>;
        }}
      </Loaded>
      {isAsking && by && <AskSheet by={by} onClose={() => setAsking(false)} />}
      {removal && <RemovalSheet link={removal} onClose={() => setRemoval(undefined)} />}
    </Screen>
  );
};

export default Family;
