import type { Component } from "preact";
import { useEffect, useState } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { session } from "../../../shared/session";
import { onStream } from "../../../shared/stream";
import { Badge } from "../../../shared/ui";
import { Act, ActValues, Detail, Facts, Messages, Part, When, Who } from "../../kit";
import { words } from "./words";

const base = "/notifications/v1/markets/{market}/inquiries/{id}";
/** The form of a UUID, of the act's key: sent again, it is the same message. */
const idOf = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Tells the owner that an answer is being written, once in three seconds at most. */
let toldAt = 0;
function tellTyping(market: string, id: string): void {
  if (Date.now() - toldAt < 3000) return;
  toldAt = Date.now();
  // What is lost is told again with the next letter.
  api.put(`${base}/typing`, { market, id }, undefined as never).catch(() => undefined);
}

/** Whether the owner was typing a moment ago. */
function useTyping(id: string): boolean {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stops = [
      onStream("typing", (event) => {
        if (event.conversation !== id) return;
        setTyping(true);
        clearTimeout(timer);
        timer = setTimeout(() => setTyping(false), 6000);
      }),
      onStream("message", (event) => { if (event.conversation === id) setTyping(false); }),
    ];
    return () => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
    };
  }, [id]);
  return isTyping;
}

/** Answers that are kept ready for the section: one opens the answer with its words, to be changed and sent. */
const Ready: Component<{ of: Notifications.DeskInquiry; tags: string[]; send: (values: ActValues, key: string) => Promise<unknown> }> = ({ of, tags, send }) => {
  const section = of.section as Notifications.CannedAnswerDraft["section"];
  const found = useGet("/notifications/v1/markets/{market}/canned-answers", { market: of.market, section }, ["answers"]);
  const [chosen, setChosen] = useState("");
  const items = found.value?.items ?? [];
  const answer = items.find((one) => one.answer === chosen);
  if (!items.length) return null;
  return (
    <>
      <select class="form-select ready" aria-label={words.ready} value={chosen} onChange={(event) => setChosen((event.target as HTMLSelectElement).value)}>
        <option value="">{words.ready}</option>
        {items.map((one) => <option key={one.answer} value={one.answer}>{one.name} ({one.language})</option>)}
      </select>
      {answer && (
        <Act key={answer.answer} label={words.useReady} title={words.answerTitle} text={words.answerText} tags={tags}
          fields={[{ name: "text", label: words.reply, kind: "long", maximum: 2000, initial: answer.text }]} send={send} typed={() => tellTyping(of.market, of.inquiry)} />
      )}
    </>
  );
};

const Acts: Component<{ of: Notifications.DeskInquiry }> = ({ of }) => {
  const { account } = useCell(session);
  const { market, inquiry: id } = of;
  const tags = ["inquiries", `inquiry:${id}`];
  const isOthers = of.takenBy !== undefined && of.takenBy !== account;
  const send = (values: ActValues, key: string) => api.put(`${base}/messages/{message}`, { market, id, message: idOf(key) }, { text: String(values.text) });
  return (
    <>
      {!isOthers && (
        <Act label={words.answer} title={words.answerTitle} text={words.answerText} look="primary" tags={tags}
          fields={[{ name: "text", label: words.reply, kind: "long", maximum: 2000 }]}
          send={send} typed={() => tellTyping(market, id)} />
      )}
      {!isOthers && <Ready of={of} send={send} tags={tags} />}
      {of.takenBy === undefined && <Act label={words.take} title={words.take} text={words.takeText} tags={tags} send={() => api.put(`${base}/taker`, { market, id }, undefined as never)} />}
      {of.takenBy !== undefined && <Act label={words.release} title={words.release} text={words.releaseText} tags={tags} send={() => api.delete(`${base}/taker`, { market, id })} />}
    </>
  );
};

const Said: Component<{ market: string; inquiry: string }> = ({ market, inquiry: id }) => {
  const pages = usePages(`${base}/messages`, { market, id, limit: 50 }, [`inquiry:${id}`], (one) => one.message);
  const isTyping = useTyping(id);
  return (
    <>
      <Messages of={pages} load={(message) => api.get(`${base}/messages/{message}/file`, { market, id, message })} />
      <p class="muted typing" role="status">{isTyping && words.typing}</p>
    </>
  );
};

/** One inquiry: what was asked and answered. */
export const Inquiry: Component<{ inquiry: string }> = ({ inquiry: id }) => {
  const { market } = usePlace();
  const found = useGet(base, { market, id }, [`inquiry:${id}`]);
  return (
    <Detail title={found.value ? <bdi>{found.value.title}</bdi> : words.inquiry} back="inquiries" of={found} acts={(one) => <Acts of={one} />}>
      {(one) => (
        <>
          <Facts of={[
            [words.status, <Badge tone={one.status === "responded" ? "good" : "warning"}>{one.status === "responded" ? words.responded : words.waiting}</Badge>],
            [words.section, one.section === "customers" ? words.customers : words.providers], [words.who, <Who account={one.account} />],
            [words.taken, one.takenBy && <Who account={one.takenBy} />], [words.begun, <When at={one.createdAt} exact />],
          ]} />
          <Part title={words.inquiry}><Said market={market} inquiry={id} /></Part>
        </>
      )}
    </Detail>
  );
};
