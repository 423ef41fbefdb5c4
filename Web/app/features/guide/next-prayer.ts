import type { Admin } from "api-types";
import { useEffect } from "preact";
import type { GetParameters } from "../../../shared/api/client";
import { useGet } from "../../../shared/resources";

/** The answer may be kept for ten seconds, and the phone's clock may be ahead. */
const again = 15_000;

/** The prayer that begins next at a place; once it has begun, the one after it. */
export function useNextPrayer(where: GetParameters<"/admin/v1/guide/next-prayer">): Admin.NextPrayer["next"] {
  const { value, at, error, reload } = useGet("/admin/v1/guide/next-prayer", where);
  const next = value?.next;
  useEffect(() => {
    if (!next) return undefined;
    const left = new Date(next.time).getTime() - Date.now();
    const timer = setTimeout(() => void reload(), left > 0 ? left + 1000 : again);
    return () => clearTimeout(timer);
  }, [next?.time, at, error]);
  return next;
}
