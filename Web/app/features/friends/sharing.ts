import { api } from "../../../shared/api/client";
import { isOnline } from "../../../shared/api/connection";
import { Fix, metresBetween, watchPosition } from "../../../shared/device/position";
import { session } from "../../../shared/session";
import { isSharing, nameOfSharing } from "./shared-until";

/** At most one position a second is posted, and at rest one in half a minute: then the age of the place says that all is well. */
const pause = (moved: number): number => (moved < 5 ? 30_000 : 1000);

let stop: (() => void) | undefined;

/** Posts where this phone is until the returned function is called. What cannot be sent is followed by a newer one. */
function post(): () => void {
  let last: Fix | undefined;
  let isSending = false;
  const take = (fix: Fix): void => {
    if (!isSharing()) return stopSharing();
    if (isSending || !isOnline.get() || (last && fix.at - last.at < pause(metresBetween(fix, last)))) return;
    isSending = true;
    last = fix;
    api.post("/identity/v1/accounts/me/shared-place/position", {}, { latitude: fix.latitude, longitude: fix.longitude })
      .catch(() => undefined).then(() => { isSending = false; });
  };
  return watchPosition(take, () => undefined);
}

function follow(): void {
  if (stop) return;
  const account = session.get().account;
  const ends = [post(), session.follow(() => { if (session.get().account !== account) end(); })];
  stop = () => ends.forEach((one) => one());
}

function end(): void {
  stop?.();
  stop = undefined;
}

/** From now on this phone posts where it is, on whatever screen, until the end of the sharing, a stop, or the log-out. */
export function beginSharing(expiresAt: string): void {
  localStorage.setItem(nameOfSharing(), expiresAt);
  follow();
}

export function stopSharing(): void {
  localStorage.removeItem(nameOfSharing());
  end();
}

/** After a start: goes on with what this phone shares, unless another phone has stopped it meanwhile. */
export function goOnSharing(): void {
  if (!isSharing()) return;
  follow();
  api.get("/identity/v1/accounts/me/shared-place").then(({ place }) => (place ? beginSharing(place.expiresAt) : stopSharing())).catch(() => undefined);
}
