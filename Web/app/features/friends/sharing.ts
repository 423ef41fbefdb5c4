import { useEffect } from "preact";
import { api } from "../../../shared/api/client";
import { isOnline } from "../../../shared/api/connection";
import { Fix, metresBetween, watchPosition } from "../../../shared/device/position";

/** At most one position a second is posted, and at rest one in half a minute: then the age of the place says that all is well. */
const pause = (moved: number): number => (moved < 5 ? 30_000 : 1000);

/** Posts where the phone is, as long as the place is shared and the screen is open. What cannot be sent is followed by a newer one. */
export function useSharing(isShared: boolean): void {
  useEffect(() => {
    if (!isShared) return undefined;
    let last: Fix | undefined;
    let isSending = false;
    const take = (fix: Fix): void => {
      if (isSending || !isOnline.get() || (last && fix.at - last.at < pause(metresBetween(fix, last)))) return;
      isSending = true;
      last = fix;
      api.post("/identity/v1/accounts/me/shared-place/position", {}, { latitude: fix.latitude, longitude: fix.longitude })
        .catch(() => undefined).then(() => { isSending = false; });
    };
    return watchPosition(take, () => undefined);
  }, [isShared]);
}
