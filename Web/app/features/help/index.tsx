import type { Component } from "preact";
import { useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { dayAndTime } from "../../../shared/format";
import { Form, LongTextField, PhotoField, Submit, TextField, useForm } from "../../../shared/forms";
import { useMarket, useMode } from "../../../shared/market";
import { More, usePages } from "../../../shared/pages";
import { invalidate } from "../../../shared/resources";
import { go, to, usePlace } from "../../../shared/router";
import { Badge, Empty, List, Loaded, Row, Screen, Section, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { Support } from "../../support";
import Content from "../content/index";
import { words } from "./words";

/** Asks the market's admins. The photo is a message of the inquiry. */
const Ask: Component<{ market: string }> = ({ market }) => {
  const mode = useMode();
  const note = useMarket().market?.freeTextNote;
  const [photo, setPhoto] = useState<Blob | undefined>(undefined);
  const form = useForm({
    initial: { title: "", content: "" },
    needed: ["title", "content"],
    send: (values, key) => api.post("/notifications/v1/inquiries", {},
      { market, as: mode === "customer" ? "customer" : "provider", title: values.title.trim(), content: values.content.trim() }, { key }),
    done: async ({ inquiry }) => {
      invalidate("inquiries");
      if (photo) {
        const message = newKey().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
        await api.put("/notifications/v1/conversations/{id}/messages/{message}/file", { id: inquiry, message }, photo as never)
          .catch(() => toast(words.photoLost));
      }
      toast(words.sent);
      go(`talk/${inquiry}`);
    },
    keep: { name: `inquiry-${market}` },
  });
  return (
    <Form form={form} label={words.title}>
      <TextField form={form} name="title" label={words.subject} maximum={120} />
      <LongTextField form={form} name="content" label={words.content} hint={note} rows={5} maximum={2000} />
      <PhotoField label={words.photo} value={photo} onChoose={setPhoto} />
      <Submit form={form}>{words.send}</Submit>
    </Form>
  );
};

const History: Component<{ market: string }> = ({ market }) => {
  const pages = usePages("/notifications/v1/inquiries", { market }, ["inquiries", "talks"], (item) => item.inquiry);
  return (
    <Section title={words.history}>
      <Loaded of={pages.first}>
        {() => (pages.items ?? []).length === 0 ? <Empty icon="chat" title={words.none} /> : (
          <>
            <List label={words.history}>
              {(pages.items ?? []).map((one) => (
                <Row key={one.inquiry} icon="chat" title={<bdi>{one.title}</bdi>} href={to(`talk/${one.inquiry}`)}
                  detail={<>{one.status === "responded" ? dayAndTime(one.lastAt) : words.waitsText}</>}
                  end={<Badge tone={one.status === "responded" ? "good" : "neutral"}>{one.status === "responded" ? words.responded : words.waits}</Badge>} />
              ))}
            </List>
            <More of={pages} />
          </>
        )}
      </Loaded>
    </Section>
  );
};

/** How one reaches the market's support: by writing here, by phone and by mail. */
const Help: Component<ScreenProperties> = () => {
  const { market } = usePlace();
  return (
    <Screen title={words.title} back="me">
      <Ask key={market} market={market} />
      <History market={market} />
      <Section title={words.read}>
        <List label={words.read}>
          <Row icon="chat" title={words.faq} href={to("help/faq")} />
          <Row icon="chat" title={words.about} href={to("help/about")} />
          <Row icon="chat" title={words.privacy} href={to("help/privacy")} />
          <Row icon="chat" title={words.terms} href={to("help/terms")} />
        </List>
      </Section>
      <Support only="outside" />
    </Screen>
  );
};

/** `help` alone needs an account; what admins write beneath it, everybody reads. */
const HelpOrContent: Component<ScreenProperties> = (screen) => (screen.params.item ? <Content {...screen} /> : <Help {...screen} />);

export default HelpOrContent;
