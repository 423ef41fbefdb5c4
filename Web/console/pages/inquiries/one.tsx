import type { Component } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { usePages } from "../../../shared/pages";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Badge } from "../../../shared/ui";
import { Act, Detail, Facts, Messages, Part, When, Who } from "../../kit";
import { words } from "./words";

const base = "/notifications/v1/markets/{market}/inquiries/{id}";
/** The form of a UUID, of the act's key: sent again, it is the same message. */
const idOf = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const Acts: Component<{ of: Notifications.DeskInquiry }> = ({ of }) => {
  const { account } = useCell(session);
  const { market, inquiry: id } = of;
  const tags = ["inquiries", `inquiry:${id}`];
  const isOthers = of.takenBy !== undefined && of.takenBy !== account;
  return (
    <>
      {!isOthers && (
        <Act label={words.answer} title={words.answerTitle} text={words.answerText} look="primary" tags={tags}
          fields={[{ name: "text", label: words.reply, kind: "long", maximum: 2000 }]}
          send={(values, key) => api.put(`${base}/messages/{message}`, { market, id, message: idOf(key) }, { text: String(values.text) })} />
      )}
      {of.takenBy === undefined && <Act label={words.take} title={words.take} text={words.takeText} tags={tags} send={() => api.put(`${base}/taker`, { market, id }, undefined as never)} />}
      {of.takenBy !== undefined && <Act label={words.release} title={words.release} text={words.releaseText} tags={tags} send={() => api.delete(`${base}/taker`, { market, id })} />}
    </>
  );
};

const Said: Component<{ market: string; inquiry: string }> = ({ market, inquiry: id }) => {
  const pages = usePages(`${base}/messages`, { market, id, limit: 50 }, [`inquiry:${id}`], (one) => one.message);
  return <Messages of={pages} load={(message) => api.get(`${base}/messages/{message}/file`, { market, id, message })} />;
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
