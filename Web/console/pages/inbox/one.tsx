import type { Component } from "preact";
import type { Notifications } from "api-types";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { useGet } from "../../../shared/resources";
import { to, usePlace } from "../../../shared/router";
import { session } from "../../../shared/session";
import { Badge } from "../../../shared/ui";
import { Act, Detail, Facts, OrderLink, When, Who } from "../../kit";
import { words } from "./words";

type Item = Notifications.AdminItem;
const base = "/notifications/v1/markets/{market}/inbox/{id}";
const tones: Record<string, "good" | "warning" | "neutral" | "accent"> = { waiting: "warning", taken: "accent", done: "good", settled: "neutral" };

export const stateNames = (): Record<string, string> => ({ waiting: words.waiting, taken: words.taken, done: words.done, settled: words.settled });
export const kindNames = (): Record<string, string> => ({
  visit: words.visit, time: words.time, report: words.report, "cash-out": words.cashOut, approval: words.approval, dispute: words.dispute,
  family: words.family, removal: words.removal, papers: words.papers, profession: words.profession, inquiry: words.inquiry, "message-report": words.messageReport,
});

export const State: Component<{ of: Item }> = ({ of }) => (
  <>
    <Badge tone={tones[of.state] ?? "neutral"}>{stateNames()[of.state] ?? of.state}</Badge>
    {of.isUrgent && of.endedAt === undefined && <> <Badge tone="danger">{words.urgent}</Badge></>}
  </>
);

/** The page on which a thing is decided; one of a kind that this version does not know has none. */
function pageOf({ kind, subject }: Item): string | undefined {
  const pages: Record<string, string> = {
    visit: `desk/${subject}`, time: `desk/${subject}`, report: `reports/${subject}`, "cash-out": `cashouts/${subject}`, approval: `approvals/${subject}`,
    dispute: `disputes/${subject}`, family: "families", removal: "removals", papers: `papers/${subject}`, profession: "professions",
    inquiry: `inquiries/${subject}`, "message-report": `messages/${subject}`,
  };
  return pages[kind];
}

const Acts: Component<{ of: Item }> = ({ of }) => {
  const { account } = useCell(session);
  const { market, item: id } = of;
  const tags = ["admin-inbox"];
  const isOpen = of.endedAt === undefined;
  const isOthers = of.takenBy !== undefined && of.takenBy !== account;
  const isOwnMatter = of.person === account;
  return (
    <>
      {isOpen && !of.takenBy && !isOwnMatter && <Act label={words.take} title={words.take} text={words.takeText} look="primary" tags={tags} send={() => api.put(`${base}/taker`, { market, id }, undefined as never)} />}
      {isOpen && !isOthers && !isOwnMatter && <Act label={words.finish} title={words.finish} text={words.finishText} tags={tags} send={() => api.put(`${base}/done`, { market, id }, undefined as never)} />}
      {isOpen && of.takenBy && <Act label={words.release} title={words.release} text={words.releaseText} tags={tags} send={() => api.delete(`${base}/taker`, { market, id })} />}
      {of.state === "done" && <Act label={words.reopen} title={words.reopen} text={words.reopenText} tags={tags} send={() => api.delete(`${base}/done`, { market, id })} />}
    </>
  );
};

/** One thing: what it is, who has it, and the way to where it is decided. */
export const OneItem: Component<{ item: string }> = ({ item: id }) => {
  const { market } = usePlace();
  const found = useGet(base, { market, id }, ["admin-inbox"]);
  return (
    <Detail title={found.value?.text ?? words.one} back="inbox" of={found} acts={(one) => <Acts of={one} />}>
      {(one) => {
        const page = pageOf(one);
        return (
          <>
            {page && <p><a class="btn btn-primary" href={to(page)}>{words.openIt}</a></p>}
            <Facts of={[
              [words.kind, kindNames()[one.kind] ?? one.kind], [words.state, <State of={one} />], [words.about, one.person && <Who account={one.person} />],
              [words.order, one.order && <OrderLink order={one.order} />], [words.takenBy, one.takenBy && <Who account={one.takenBy} />],
              [words.since, <When at={one.at} exact />], [words.ended, one.endedAt && <When at={one.endedAt} exact />],
            ]} />
          </>
        );
      }}
    </Detail>
  );
};
