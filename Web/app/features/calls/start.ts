import { toast } from "../../../shared/ui";
import { NoConnection, textOf } from "../../../shared/api/problem";

/** Calls the other one of a conversation; what it needs is fetched then. */
export const call = (conversation: string, name: string): void =>
  void import("./index").then((calls) => calls.begin(conversation, name), () => toast(textOf(new NoConnection())));
