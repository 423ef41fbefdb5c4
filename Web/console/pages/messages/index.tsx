import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { useGet } from "../../../shared/resources";
import { go, usePlace } from "../../../shared/router";
import { Act, Detail, Facts, List, OrderLink, Page, Part, Split, When } from "../../kit";
import type { PageProperties } from "../../pages";
import { partyName } from "../../states";
import { Conversation } from "./conversation";
import { words } from "./words";

const path = "/notifications/v1/markets/{market}/message-reports";

/** One reported message, with what was said around it. */
const OneReport: Component<{ report: string }> = ({ report: id }) => {
  const { market } = usePlace();
  const found = useGet(`${path}/{id}`, { market, id }, ["message-reports"]);
  const error = found.error instanceof Problem && found.error.status === 404 ? new Error(words.closed) : found.error;
  return (
    <Detail title={words.talk} back="messages" of={{ ...found, error }} acts={(one) => (
      <Act label={words.close} title={words.close} text={words.closeText} tags={["message-reports"]} done={() => go("messages")}
        send={(_, key) => api.post(`${path}/{id}/close`, { market, id: one.report }, undefined as never, { key })} />
    )}>
      {(one) => (
        <>
          <Facts of={[
            [words.reason, <span class="words" dir="auto">{one.reason}</span>], [words.by, partyName(one.by)], [words.number, String(one.number)],
            [words.order, one.order && <OrderLink order={one.order} />], [words.at, <When at={one.madeAt} exact />],
          ]} />
          <Part title={words.talk}><Conversation market={market} conversation={one.conversation} around={one.number} /></Part>
        </>
      )}
    </Detail>
  );
};

/** Messages that their readers have reported, the oldest first. */
const Reported: Component<PageProperties> = ({ params }) => {
  const { market } = usePlace();
  return (
    <Page title={words.title}>
      <Split detail={params.id && <OneReport key={params.id} report={params.id} />}>
        <List title={words.title} path={path} parameters={{ market }} tags={["message-reports"]} empty={words.none}
          idOf={(one) => one.report} hrefOf={(one) => `messages/${one.report}`} open={params.id}
          columns={[
            { id: "reason", label: words.reason, cell: (one) => <bdi>{one.reason}</bdi> },
            { id: "by", label: words.by, cell: (one) => partyName(one.by) },
            { id: "order", label: words.order, wide: true, cell: (one) => one.order && <OrderLink order={one.order} /> },
            { id: "at", label: words.at, cell: (one) => <When at={one.madeAt} /> },
          ]} />
      </Split>
    </Page>
  );
};

export default Reported;
