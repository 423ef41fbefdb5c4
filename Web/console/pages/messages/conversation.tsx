import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { usePages } from "../../../shared/pages";
import { Messages } from "../../kit";

const path = "/notifications/v1/markets/{market}/conversations/{id}/messages";

/** What two parties of a reported order wrote to each other. */
export const Conversation: Component<{ market: string; conversation: string }> = ({ market, conversation: id }) => {
  const pages = usePages(path, { market, id, limit: 50 }, [], (one) => one.message);
  return <Messages of={pages} load={(message) => api.get(`${path}/{message}/file`, { market, id, message })} />;
};
