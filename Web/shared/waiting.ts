import { Cell } from "./cell";

/** Something that was tapped without a connection. It is sent once when there is one, with the key that it was tapped with. */
export interface Waiting {
  id: string;
  account: string;
  method: "post" | "put" | "delete";
  path: string;
  parameters: Record<string, unknown>;
  body: unknown;
  key: string;
  /** What the person reads: `Accept the order`. */
  label: string;
  tags: string[];
  at: number;
  /** Why the services refused it. It is not sent again, and stays until the person has taken it back or does the same anew. */
  error?: string;
}

/** What waits for a connection, and what was refused, of the account that is logged in. */
export const waiting = new Cell<Waiting[]>([]);
