import type { Children, Component } from "preact";
import { useEffect, useState } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { dayAndTime, time } from "../../../shared/format";
import { IconButton } from "../../../shared/ui";
import type { Outgoing } from "./sending";
import { words } from "./words";

const urls = new Map<string, Promise<string>>();

/** The file of a message that was deleted goes from this page, too. */
export function forgetFile(conversation: string, message: string): void {
  const key = `${conversation} ${message}`;
  urls.get(key)?.then((url) => URL.revokeObjectURL(url), () => undefined);
  urls.delete(key);
}

/** A file of a message, which is read with a token: it never changes, so it is read once. */
function useFile(conversation: string, message: string | undefined): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!message) return undefined;
    let isOld = false;
    const key = `${conversation} ${message}`;
    const found = urls.get(key) ?? api.get("/notifications/v1/conversations/{id}/messages/{message}/file", { id: conversation, message })
      .then((blob) => URL.createObjectURL(blob as unknown as Blob));
    urls.set(key, found);
    found.then((one) => { if (!isOld) setUrl(one); }, () => urls.delete(key));
    return () => { isOld = true; };
  }, [conversation, message]);
  return url;
}

function useOwnUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!file) return undefined;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

const Content: Component<{ kind: string; text?: string; url?: string; alt: string }> = ({ kind, text, url, alt }) => {
  if (kind === "photo") return url ? <a href={url} target="_blank"><img class="bubble-photo" src={url} alt={alt} /></a> : <span class="bubble-photo" aria-hidden="true" />;
  if (kind === "voice") return url ? <audio controls src={url} aria-label={words.voice} /> : <span>{words.voice}</span>;
  if (kind === "deleted") return <i class="muted">{words.deleted}</i>;
  if (kind === "removed") return <i class="muted">{words.removed}</i>;
  return <p dir="auto">{text}</p>;
};

/** Whether something is left of it. */
const isThere = (message: Notifications.Message): boolean => message.kind !== "deleted" && message.kind !== "removed";

/** One message. Whose it is, its side says, and to those who do not see it a word. */
export const Bubble: Component<{ conversation: string; message: Notifications.Message; isOwn: boolean; name: string; isNamed: boolean; state?: string; onMore: () => void }> = (
  { conversation, message, isOwn, name, isNamed, state, onMore },
) => {
  const url = useFile(conversation, message.kind === "photo" || message.kind === "voice" ? message.message : undefined);
  return (
    <li class={isOwn ? "bubble own" : "bubble"}>
      <span class={isNamed && !isOwn ? "muted small" : "hidden"}><bdi>{isOwn ? words.you : name}</bdi></span>
      {message.forwarded && isThere(message) && <span class="muted small">{words.copy}</span>}
      <Content kind={message.kind} text={message.text} url={url} alt={isOwn ? words.ownPhoto : words.photoBy(name)} />
      <Foot>
        <time dateTime={message.at} title={dayAndTime(message.at)}>{time(message.at)}</time>
        {state && <span>{state}</span>}
        {isThere(message) && <IconButton icon="more" label={words.more} onTap={onMore} />}
      </Foot>
    </li>
  );
};

/** What is not there yet, at the end. */
export const Coming: Component<{ one: Outgoing & { waits: boolean }; onAgain: () => void }> = ({ one, onAgain }) => {
  const url = useOwnUrl(one.file);
  return (
    <li class="bubble own">
      <span class="hidden">{words.you}</span>
      <Content kind={one.kind} text={one.text} url={url} alt={words.ownPhoto} />
      <Foot>
        {one.error ? <><span role="status">{words.notSent}. {one.error}</span><button type="button" class="link" onClick={onAgain}>{words.again}</button></>
          : <span>{one.waits ? words.waits : words.sending}</span>}
      </Foot>
    </li>
  );
};

const Foot: Component<{ children?: Children }> = ({ children }) => <span class="bubble-foot">{children}</span>;
