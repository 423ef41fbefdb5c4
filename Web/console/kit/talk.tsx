import type { Component } from "preact";
import { useEffect, useState } from "preact";
import type { Notifications } from "api-types";
import { More } from "../../shared/pages";
import { Button, Skeleton } from "../../shared/ui";
import { partyName } from "../states";
import { Failed } from "./page";
import { When } from "./parts";
import { words } from "./words";

/** A list of messages, as `usePages` reads it. */
interface Pages {
  first: { value?: unknown; error?: unknown; reload: () => Promise<void> };
  items?: Notifications.Message[];
  hasMore: boolean;
  isBusy: boolean;
  error?: unknown;
  more: () => Promise<void>;
}

/** A photo or a voice note: fetched when it is asked for, since each look at one is an entry of the audit log. */
const File: Component<{ message: Notifications.Message; load: (message: string) => Promise<unknown> }> = ({ message, load }) => {
  const [url, setUrl] = useState<string | undefined>(undefined);
  const [isGone, setGone] = useState(false);
  useEffect(() => () => { if (url) URL.revokeObjectURL(url); }, [url]);
  const isVoice = message.kind === "voice";
  if (url) return isVoice ? <audio controls src={url} aria-label={words.voice} /> : <img class="talk-photo" src={url} alt={words.photo} />;
  if (isGone) return <p class="muted">{words.gone}</p>;
  const show = (): void => void load(message.message).then((blob) => setUrl(URL.createObjectURL(blob as Blob)), () => setGone(true));
  return <Button kind="second" small onTap={show}>{isVoice ? words.hearVoice : words.showPhoto}</Button>;
};

/** What was said, the oldest first; whose words they are stands above them. `marked` is the number of a reported one. */
export const Messages: Component<{ of: Pages; load: (message: string) => Promise<unknown>; nameOf?: (from: string) => string; marked?: number }> = ({ of, load, nameOf = partyName, marked }) => {
  if (!of.items) return of.first.error ? <Failed of={of.first} /> : <Skeleton rows={3} kind="text" />;
  if (!of.items.length) return <p class="muted">{words.nothing}</p>;
  return (
    <>
      <More of={of} />
      <ol class="said">
        {[...of.items].reverse().map((one) => (
          <li key={one.message} aria-current={one.number === marked ? "true" : undefined}>
            <p><strong>{one.from === "support" ? words.support : nameOf(one.from)}</strong> · <When at={one.at} />{one.number === marked && <> · <strong>{words.reportedOne}</strong></>}</p>
            {one.kind === "text" && <p class="words" dir="auto">{one.text}</p>}
            {one.deleted && <p class="muted">{words.deletedCopy}</p>}
            {one.kind === "deleted" && <p class="muted">{words.deletedWords}</p>}
            {one.kind === "removed" && <p class="muted">{words.removedWords}</p>}
            {(one.kind === "photo" || one.kind === "voice") && <File message={one} load={load} />}
          </li>
        ))}
      </ol>
    </>
  );
};
