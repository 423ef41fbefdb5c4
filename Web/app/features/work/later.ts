import { Cell } from "../../../shared/cell";

/** Requests that were put aside; they stay in the list of the work. */
export const later = new Cell<string[]>([]);
