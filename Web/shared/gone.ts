import { Problem, textOf } from "./api/problem";
import { toast } from "./ui/dialog";

/** Says why a thing could not be had that is gone, or somebody else's, by now: its card or sheet goes with what it says. */
export function tellIfGone(error: unknown): void {
  if (error instanceof Problem && (error.status === 404 || error.status === 409)) toast(textOf(error));
}
