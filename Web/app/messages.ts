import { api } from "../shared/api/client";
import { followPush } from "../shared/device/push";
import { session } from "../shared/session";
import { onStream } from "../shared/stream";

/** Registers the device for push messages where that was agreed to, and tells the others of a conversation that what they say has come to it. */
export function followMessages(): void {
  followPush();
  onStream("message", ({ conversation: id, sender, number: delivered }) => {
    if (sender === session.get().account) return;
    api.put("/notifications/v1/conversations/{id}/marks", { id }, { delivered }).catch(() => undefined);
  });
}
