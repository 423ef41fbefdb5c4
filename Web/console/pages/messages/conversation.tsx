import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { usePages } from "../../../shared/pages";
import { Button } from "../../../shared/ui";
import { Messages } from "../../kit";
import { words } from "./words";

const path = "/notifications/v1/markets/{market}/conversations/{id}/messages";

/** What two parties of a reported order wrote to each other; of a reported message what was said about it, however long ago. */
export const Conversation: Component<{ market: string; conversation: string; around?: number }> = ({ market, conversation: id, around }) => {
  const [isNewest, setNewest] = useState(false);
  const pages = usePages(path, { market, id, limit: 50, around: isNewest ? undefined : around }, [], (one) => one.message);
  return (
    <>
      <Messages of={pages} marked={around} load={(message) => api.get(`${path}/{message}/file`, { market, id, message })} />
      {around !== undefined && !isNewest && <Button kind="second" onTap={() => setNewest(true)}>{words.newest}</Button>}
    </>
  );
};
