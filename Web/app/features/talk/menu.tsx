import type { Component } from "preact";
import { useRef, useState } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { Problem, textOf } from "../../../shared/api/problem";
import { Form, LongTextField, Submit, useForm } from "../../../shared/forms";
import { More, usePages } from "../../../shared/pages";
import { invalidate } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { ask, Empty, List, Row, Sheet, Skeleton, toast } from "../../../shared/ui";
import { newId } from "./sending";
import { words } from "./words";

/** As long as the service lets one delete what was said about an order, or to the support. */
const deletable = 3_600_000;

interface Properties { talk: Notifications.Conversation; message: Notifications.Message; onClose: () => void }

const Report: Component<Properties> = ({ talk, message, onClose }) => {
  const form = useForm({
    initial: { reason: "" },
    needed: ["reason"],
    send: (values, key) => api.post("/notifications/v1/conversations/{id}/messages/{message}/report", { id: talk.conversation, message: message.message },
      { reason: values.reason.trim() }, { key }),
    done: () => {
      toast(words.reported);
      onClose();
    },
  });
  return (
    <Form form={form}>
      <LongTextField form={form} name="reason" label={words.reportReason} hint={words.reportHint} maximum={500} />
      <Submit form={form}>{words.reportSend}</Submit>
    </Form>
  );
};

/** A copy for another conversation in which the reader may write. */
const Forward: Component<Properties> = ({ talk, message, onClose }) => {
  const pages = usePages("/notifications/v1/conversations", { empty: true, limit: 50 }, ["talks"], (one) => one.conversation);
  const [isBusy, setBusy] = useState(false);
  // One for each conversation: tapped again after an answer was lost, it is the same copy.
  const ids = useRef(new Map<string, string>());
  const idOf = (conversation: string): string => {
    const id = ids.current.get(conversation) ?? newId();
    ids.current.set(conversation, id);
    return id;
  };
  const others = (pages.items ?? []).filter((one) => one.open && one.conversation !== talk.conversation);
  const nameOf = (one: Notifications.Conversation): string => one.with.name || (one.group ? words.group : words.support);
  const send = async (one: Notifications.Conversation, id: string, anyway?: boolean): Promise<void> => {
    if (isBusy && !anyway) return;
    setBusy(true);
    try {
      await api.put("/notifications/v1/conversations/{id}/messages/{message}/forward", { id: one.conversation, message: id },
        { conversation: talk.conversation, message: message.message, anyway });
      invalidate(`talk:${one.conversation}`, "talks");
      toast(words.forwardDone(nameOf(one)), { href: to(`talk/${one.conversation}`), text: words.open });
      onClose();
    } catch (error) {
      setBusy(false);
      if (!(error instanceof Problem && error.slug === "contact-in-message") || anyway) {
        toast(textOf(error));
      } else if (await ask({ title: error.message, text: error.detail, yes: words.anyway })) {
        await send(one, id, true);
      }
    }
  };
  if (!pages.items) return pages.first.error ? <Empty icon="offline" title={textOf(pages.first.error)} /> : <Skeleton rows={3} />;
  return (
    <>
      {others.length === 0 && !pages.hasMore && <Empty icon="chat" title={words.forwardNone} />}
      <List label={words.forwardTo}>
        {others.map((one) => (
          <Row key={one.conversation} icon={one.group ? "people" : "chat"} title={nameOf(one)}
            detail={one.order ? words.ofOrder : one.link ? words.friend : undefined} onTap={() => void send(one, idOf(one.conversation))} />
        ))}
      </List>
      <More of={pages} />
    </>
  );
};

/** What can be done with a message: forward it, delete one's own, report another's. */
export const MessageMenu: Component<Properties> = (properties) => {
  const { talk, message, onClose } = properties;
  const [step, setStep] = useState<"menu" | "forward" | "report">("menu");
  const isOwn = message.from === talk.role;
  const isOfFriends = talk.link !== undefined || talk.group !== undefined;
  const mayDelete = isOwn && (isOfFriends || Date.now() - Date.parse(message.at) < deletable);
  const remove = async (): Promise<void> => {
    onClose();
    if (!(await ask({ title: words.deleteTitle, text: words.deleteText, yes: words.deleteIt, danger: true }))) return;
    try {
      await api.delete("/notifications/v1/conversations/{id}/messages/{message}", { id: talk.conversation, message: message.message });
      invalidate(`talk:${talk.conversation}`, "talks");
    } catch (error) {
      toast(textOf(error));
    }
  };
  if (step === "forward") return <Sheet key={step} title={words.forwardTo} onClose={onClose}><Forward {...properties} /></Sheet>;
  if (step === "report") return <Sheet key={step} title={words.report} onClose={onClose}><Report {...properties} /></Sheet>;
  return (
    <Sheet key={step} title={words.more} onClose={onClose}>
      <List label={words.more}>
        <Row icon="share" title={words.forward} onTap={() => setStep("forward")} />
        {mayDelete && <Row icon="trash" title={words.deleteIt} onTap={() => void remove()} />}
        {!isOwn && talk.with.role !== "support" && <Row icon="flag" title={words.report} onTap={() => setStep("report")} />}
      </List>
    </Sheet>
  );
};
