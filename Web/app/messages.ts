import { api } from "../shared/api/client";
import { followPush } from "../shared/device/push";
import { session } from "../shared/session";
import { onStream } from "../shared/stream";
import { isSharing } from "./features/friends/shared-until";

const calls = (): Promise<typeof import("./features/calls/index")> => import("./features/calls/index");

/** Registers the device for push messages where that was agreed to, tells the others of a conversation that what they say has come to it,
 * rings for calls, and goes on with the place that this phone shares with friends. */
export function followMessages(): void {
  followPush();
  onStream("message", ({ conversation: id, sender, number: delivered }) => {
    if (sender === session.get().account) return;
    api.put("/notifications/v1/conversations/{id}/marks", { id }, { delivered }).catch(() => undefined);
  });
  onStream("call", (event) => {
    void calls().then(({ heard }) => heard(event), () => undefined);
  });
  // One that began to ring before the page was there, such as that of the push message that opened it.
  if (session.get().state !== "in") return;
  if (isSharing()) void import("./features/friends/sharing").then(({ goOnSharing }) => goOnSharing()).catch(() => undefined);
  api.get("/notifications/v1/calls").then(({ items }) => (items.length ? calls().then(({ lookForCalls }) => lookForCalls()) : undefined)).catch(() => undefined);
}
