import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { useGet } from "../../../shared/resources";
import { usePlace } from "../../../shared/router";
import { Button, Loaded } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, Part, Table, When } from "../../kit";
import { words } from "./words";

const List: Component<{ account: string; name: string }> = ({ account, name }) => {
  const { market } = usePlace();
  const tags = [`sessions:${account}`];
  const found = useGet("/identity/v1/markets/{market}/people/{account}/sessions", { market, account }, tags);
  const deviceOf = (device: string | undefined): string => device ?? words.someDevice;
  return (
    <Loaded of={found}>
      {({ items }) => (items.length === 0 ? <p class="muted">{words.noSessions}</p> : (
        <>
          <Table label={words.sessions} items={items} idOf={(one) => one.session} columns={[
            { id: "device", label: words.device, cell: (one) => <bdi>{deviceOf(one.device)}</bdi> },
            { id: "used", label: words.lastUsed, cell: (one) => <When at={one.lastUsedAt} /> },
            { id: "begun", label: words.loggedIn, wide: true, cell: (one) => <When at={one.createdAt} /> },
            {
              id: "acts", label: "", end: true, cell: (one) => (
                <Act small label={words.endSession} title={words.endSessionOf(isolate(deviceOf(one.device)), isolate(name))} text={words.endSessionsText} tags={tags}
                  send={() => api.delete("/identity/v1/markets/{market}/people/{account}/sessions/{session}", { market, account, session: one.session })} />
              ),
            },
          ]} />
          <div class="act-buttons">
            <Act label={words.endSessions} title={words.endSessionsOf(isolate(name))} text={words.endSessionsText} look="danger" tags={tags}
              send={() => api.delete("/identity/v1/markets/{market}/people/{account}/sessions", { market, account })} />
          </div>
        </>
      ))}
    </Loaded>
  );
};

/** Where somebody is logged in. It is asked for when somebody wants to see it: each look is in the audit log. */
export const Sessions: Component<{ account: string; name: string }> = ({ account, name }) => {
  const [isShown, setShown] = useState(false);
  return (
    <Part title={words.sessions}>
      {isShown ? <List account={account} name={name} /> : <Button kind="second" small onTap={() => setShown(true)}>{words.showSessions}</Button>}
    </Part>
  );
};
