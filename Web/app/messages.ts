import { api } from "../shared/api/client";
import { session } from "../shared/session";
import { onStream } from "../shared/stream";

/** Tells the others of a conversation that what they say has come to this device. */
export function followMessages(): void {
  onStream("message", ({ conversation: id, sender, number: delivered }) => {
    if (sender === session.get().account) return;
    api.put("/notifications/v1/conversations/{id}/marks", { id }, { delivered }).catch(() => undefined);
  });
}
