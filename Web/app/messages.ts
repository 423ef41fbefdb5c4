import { api } from "../shared/api/client";
import { keptName } from "../shared/api/kept";
import { followPush } from "../shared/device/push";
import { session } from "../shared/session";
import { onStream } from "../shared/stream";
import { isSharing } from "./features/friends/shared-until";

const calls = (): Promise<typeof import("./features/calls/index")> => import("./features/calls/index");

/** Deletes what is kept of a conversation to be shown without a connection: somebody has taken back what was said there. */
async function forgetTalk(conversation: string): Promise<void> {
  const kept = await caches.open(keptName(session.get().account));
  for (const request of await kept.keys()) {
    if (request.url.includes(`/conversations/${conversation}`) || request.url.includes("/conversations?")) await kept.delete(request);
  }
}

/** Registers the device for push messages where that was agreed to, tells the others of a conversation that what they say has come to it,
 * rings for calls, and goes on with the place that this phone shares with friends. */
export function followMessages(): void {
  followPush();
  onStream("message", ({ conversation: id, sender, number: delivered }) => {
    if (sender === session.get().account) return;
    api.put("/notifications/v1/conversations/{id}/marks", { id }, { delivered }).catch(() => undefined);
  });
  onStream("message-deleted", ({ conversation }) => void forgetTalk(conversation).catch(() => undefined));
  onStream("call", (event) => {
    void calls().then(({ heard }) => heard(event), () => undefined);
  });
  // One that began to ring before the page was there, such as that of the push message that opened it.
  if (session.get().state !== "in") return;
  if (isSharing()) void import("./features/friends/sharing").then(({ goOnSharing }) => goOnSharing()).catch(() => undefined);
  api.get("/notifications/v1/calls").then(({ items }) => (items.length ? calls().then(({ lookForCalls }) => lookForCalls()) : undefined)).catch(() => undefined);
}
