import { useEffect, useState } from "preact";
import type { Notifications } from "api-types";
import { newKey } from "../../../shared/api/client";
import { Problem, textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { act } from "../../../shared/queue";
import { ask } from "../../../shared/ui";
import { waiting } from "../../../shared/waiting";
import { words } from "./words";

const textPath = "/notifications/v1/conversations/{id}/messages/{message}";
const filePath = "/notifications/v1/conversations/{id}/messages/{message}/file";

/** What is on its way: with the id that it has there, so that it is one message however often it is sent. */
export interface Outgoing {
  id: string;
  kind: "text" | "photo" | "voice";
  text?: string;
  file?: Blob;
  seconds?: number;
  error?: string;
}

/** The form of a UUID, of random bytes. */
export const newId = (): string => newKey().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Sends what is said in a conversation, and keeps what is not there yet. */
export function useSending(conversation: string, known: Notifications.Message[]): {
  outgoing: (Outgoing & { waits: boolean })[]; send: (what: Omit<Outgoing, "id">) => void; again: (one: Outgoing) => void;
} {
  const [own, setOwn] = useState<Outgoing[]>([]);
  const queued = useCell(waiting).filter((one) => one.parameters.id === conversation && one.parameters.message !== undefined);
  const tags = [`talk:${conversation}`, "talks"];

  const post = async (one: Outgoing, anyway?: boolean): Promise<void> => {
    setOwn((all) => [...all.filter((other) => other.id !== one.id), { ...one, error: undefined }]);
    const parameters = { id: conversation, message: one.id };
    try {
      if (one.file) {
        const more: Record<string, string> = one.seconds ? { seconds: String(one.seconds) } : {};
        await act("put", filePath, { ...parameters, ...more }, one.file as never, { label: one.kind === "voice" ? words.voice : words.ownPhoto, tags });
      } else {
        await act("put", textPath, parameters, { text: one.text ?? "", anyway }, { label: words.label(short(one.text ?? "")), tags });
      }
    } catch (error) {
      if (error instanceof Problem && error.slug === "contact-in-message" && !anyway) {
        if (await ask({ title: error.message, text: error.detail, yes: words.anyway, no: words.change })) return post(one, true);
      }
      setOwn((all) => all.map((other) => (other.id === one.id ? { ...other, error: textOf(error) } : other)));
    }
    return undefined;
  };

  const numbers = new Set(known.map((one) => one.message));
  // What is there is on its way no more, also when it is on an older page later.
  const arrived = own.filter((one) => numbers.has(one.id)).length;
  useEffect(() => { if (arrived > 0) setOwn((all) => all.filter((one) => !numbers.has(one.id))); }, [arrived]);
  const recordOf = (one: Outgoing) => queued.find((other) => other.parameters.message === one.id);
  const fromQueue = queued.filter((one) => !own.some((other) => other.id === one.parameters.message)).map((one): Outgoing => ({
    id: one.parameters.message as string, kind: one.body instanceof Blob ? (one.body.type.startsWith("audio") ? "voice" : "photo") : "text",
    ...(one.body instanceof Blob ? { file: one.body, seconds: Number(one.parameters.seconds) || undefined } : { text: (one.body as { text?: string } | undefined)?.text }),
  }));
  return {
    outgoing: [...fromQueue, ...own].filter((one) => !numbers.has(one.id))
      .map((one) => ({ ...one, error: one.error ?? recordOf(one)?.error, waits: recordOf(one) !== undefined })),
    send: (what) => void post({ ...what, id: newId() }),
    again: (one) => void post(one),
  };
}
