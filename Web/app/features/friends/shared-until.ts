import { session } from "../../../shared/session";

/** Until when this phone posts the account's place; forgotten with the session. */
export const nameOfSharing = (): string => `serai-sharing-${session.get().account ?? ""}`;

export const isSharing = (): boolean => new Date(localStorage.getItem(nameOfSharing()) ?? 0).getTime() > Date.now();
