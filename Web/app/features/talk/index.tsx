import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { Problem, textOf } from "../../../shared/api/problem";
import { dayAndTime } from "../../../shared/format";
import { More, usePages } from "../../../shared/pages";
import { invalidate, useGet } from "../../../shared/resources";
import { to } from "../../../shared/router";
import { onStream } from "../../../shared/stream";
import { Empty, IconButton, Note, Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { call } from "../calls/start";
import { words as callWords } from "../calls/words";
import { Bubble, Coming, forgetFile } from "./bubble";
import { Composer } from "./composer";
import { MessageMenu } from "./menu";
import { useSending } from "./sending";
import { words } from "./words";

const path = "/notifications/v1/conversations/{id}/messages";

/** The role of who was typing a moment ago. */
function useTyping(talk: Notifications.Conversation | undefined): string | undefined {
  const [typing, setTyping] = useState<string | undefined>(undefined);
  const id = talk?.conversation;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => setTyping(undefined);
    const stops = [
      onStream("typing", (event) => {
        if (event.conversation !== id) return;
        setTyping(event.role);
        clearTimeout(timer);
        timer = setTimeout(end, 6000);
      }),
      onStream("message", (event) => { if (event.conversation === id) end(); }),
    ];
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    };
  }, [id]);
  return typing;
}

/** What its sender deletes is read again without its words. */
function useDeletions(id: string): void {
  useEffect(() => onStream("message-deleted", (event) => {
    if (event.conversation !== id) return;
    forgetFile(id, event.message);
    invalidate(`talk:${id}`, "talks");
  }), [id]);
}

/** What is on the screen is read, while somebody looks. */
function useReading(talk: Notifications.Conversation, newest: number): void {
  const marked = useRef(0);
  useEffect(() => {
    const mark = (): void => {
      if (document.hidden || newest <= Math.max(talk.read, marked.current)) return;
      marked.current = newest;
      api.put("/notifications/v1/conversations/{id}/marks", { id: talk.conversation }, { read: newest }).catch(() => { marked.current = 0; });
    };
    mark();
    document.addEventListener("visibilitychange", mark);
    return () => document.removeEventListener("visibilitychange", mark);
  }, [talk.read, newest]);
}

/** Shows the end, and what comes there to whoever is there: nobody who reads what was said earlier is led away. What one sends oneself
 * is shown in any case. */
function useStayingAtEnd(end: { current: HTMLElement | null }, newest: number, coming: number, typing: string | undefined): void {
  const isThere = useRef(true);
  const former = useRef(0);
  useEffect(() => {
    const look = (): void => {
      if (end.current) isThere.current = end.current.getBoundingClientRect().top < innerHeight + 100;
    };
    document.addEventListener("scroll", look, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", look, { capture: true });
  }, []);
  useEffect(() => {
    if (isThere.current || coming > former.current) end.current?.scrollIntoView({ block: "end" });
    former.current = coming;
  }, [newest, coming, typing]);
}

const Log: Component<{ talk: Notifications.Conversation }> = ({ talk }) => {
  const id = talk.conversation;
  const pages = usePages(path, { id, limit: 30 }, [`talk:${id}`], (item) => item.message);
  const messages = [...(pages.items ?? [])].reverse();
  const sending = useSending(id, messages);
  const typing = useTyping(talk);
  const [chosen, setChosen] = useState<Notifications.Message | undefined>(undefined);
  const end = useRef<HTMLDivElement | null>(null);
  const newest = messages.length ? messages[messages.length - 1].number : 0;
  useReading(talk, newest);
  useDeletions(id);
  useStayingAtEnd(end, newest, sending.outgoing.length, typing);

  const name = talk.with.name || (talk.group ? words.group : words.support);
  // In a group each message says whose it is; somebody may have left since.
  const nameOf = (role: string): string => (!talk.members ? name : talk.members.find((one) => one.role === role)?.name ?? words.left);
  const lastOwn = messages.reduce((last, one) => (one.from === talk.role ? one.number : last), 0);
  // A word below the last own message says how far all of them have come.
  const state = (one: Notifications.Message): string | undefined =>
    one.number !== lastOwn || talk.with.role === "support" ? undefined
      : one.number <= talk.with.read ? words.read : one.number <= talk.with.delivered ? words.delivered : words.sent;
  if (pages.first.value === undefined) {
    return pages.first.error ? <Empty icon="offline" title={textOf(pages.first.error)} /> : <Skeleton rows={4} />;
  }
  return (
    <>
      <More of={pages}>{words.older}</More>
      {messages.length + sending.outgoing.length === 0 && <Empty icon="chat" title={words.empty} text={talk.with.role === "support" ? undefined : talk.group ? words.groupText : words.emptyText} />}
      <div role="log" aria-label={words.title}>
        <ol class="talk">
          {messages.map((one) => (
            <Bubble key={one.message} conversation={id} message={one} isOwn={one.from === talk.role} name={nameOf(one.from)} isNamed={talk.group !== undefined} state={state(one)} onMore={() => setChosen(one)} />
          ))}
          {sending.outgoing.map((one) => <Coming key={one.id} one={one} onAgain={() => sending.again(one)} />)}
        </ol>
      </div>
      {typing && <p class="muted" role="status">{words.typing(nameOf(typing))}</p>}
      {talk.closesAt && talk.open && <p class="muted">{words.closes(dayAndTime(talk.closesAt))}</p>}
      {talk.open ? <Composer conversation={id} onSend={sending.send} /> : <Note icon="lock">{words.closed}</Note>}
      <div ref={end} />
      {chosen && <MessageMenu talk={talk} message={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
};

/** What is said in one conversation: with the other party of an order, or with the support. */
const Talk: Component<ScreenProperties> = ({ params }) => {
  const id = params.conversation;
  const talk = useGet("/notifications/v1/conversations/{id}", { id }, [`talk:${id}`]);
  // What one is told of can close it: an order's end, a friendship's or a group's.
  useEffect(() => onStream("inbox", () => invalidate(`talk:${id}`)), [id]);
  const found = talk.value;
  const back = found?.order ? `o/${found.order}` : found?.link ? `friends/${found.link}` : found?.group ? `friends/group/${found.group}` : "help";
  if (!found) {
    const isGone = talk.error instanceof Problem && talk.error.status === 404;
    return (
      <Screen title={words.title} back="">
        {talk.error ? <Empty icon={isGone ? "search" : "offline"} title={textOf(talk.error)} /> : <Skeleton rows={4} />}
      </Screen>
    );
  }
  const name = found.with.name || (found.group ? words.group : words.support);
  const end = found.order && (
    <>
      {found.open && <IconButton icon="phone" label={callWords.call(name)} onTap={() => call(id, name)} />}
      <IconButton icon="orders" label={words.toOrder} href={to(back)} />
    </>
  );
  return (
    <Screen title={name} back={back} end={end}>
      <Log key={id} talk={found} />
    </Screen>
  );
};

export default Talk;
