import type { Component } from "preact";
import { useGet } from "../../../../shared/resources";
import { to } from "../../../../shared/router";
import { Badge, List, Row } from "../../../../shared/ui";
import type { View } from "../view";
import { call } from "../../calls/start";
import { words as callWords } from "../../calls/words";
import { words } from "../words";

/** Whom one may write to about the order, or could; with what is not read yet. */
export const TalkPart: Component<{ view: View }> = ({ view }) => {
  const { order, isOnlySeen } = view;
  const talks = useGet("/notifications/v1/conversations", isOnlySeen ? null : { order: order.order }, ["talks", `order:${order.order}`]);
  // One that is closed and was never used says nothing.
  const shown = (talks.value?.items ?? []).filter((one) => one.open || one.lastNumber > 0);
  if (!shown.length) return null;
  return (
    <List label={words.talks}>
      {shown.map((one) => [
        <Row key={one.conversation} icon="chat" title={words.talkWith(one.with.name ?? "")} detail={one.open ? undefined : words.talkClosed}
          href={to(`talk/${one.conversation}`)} end={one.unread > 0 ? <Badge tone="accent">{words.talkUnread(one.unread)}</Badge> : undefined} />,
        one.open && <Row key={`call ${one.conversation}`} icon="phone" title={callWords.call(one.with.name ?? "")} onTap={() => call(one.conversation, one.with.name ?? "")} />,
      ])}
    </List>
  );
};
