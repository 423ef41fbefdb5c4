import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { Fold, Part } from "../../kit";
import { Conversation } from "../messages/conversation";
import { partyName } from "../../states";
import { words } from "./words";

/** What the parties of an order wrote to each other, to be read while it or a message is reported. */
export const Talks: Component<{ market: string; order: string }> = ({ market, order: id }) => {
  const found = useGet("/notifications/v1/markets/{market}/orders/{id}/conversations", { market, id }, [`order:${id}`]);
  const talks = (found.value?.items ?? []).filter((one) => one.lastNumber > 0);
  if (!talks.length) return null;
  return (
    <Part title={words.talks}>
      {talks.map((one) => {
        const parties = one.parties.map((party) => `${partyName(party.role)}: ${party.name}`).join(" · ");
        return one.readable
          ? <Fold key={one.conversation} title={parties}>{() => <Conversation market={market} conversation={one.conversation} />}</Fold>
          : <p key={one.conversation}><bdi>{parties}</bdi> <span class="muted">{words.talkClosed(one.lastNumber)}</span></p>;
      })}
    </Part>
  );
};
