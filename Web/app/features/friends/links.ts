import type { Identity } from "api-types";
import { useGet } from "../../../shared/resources";
import { isolate } from "../../../shared/words";
import { words } from "./words";

export type Link = Identity.Link;

export const useFriends = () => useGet("/identity/v1/accounts/me/links", {}, ["links", "inbox"]);
export const friendsOf = (links: Link[]): Link[] => links.filter((link) => link.kind === "friend");
export const nameOf = (link: Link): string => link.other.name ?? link.other.mobile ?? words.somebody;
export const isolated = (link: Link): string => isolate(nameOf(link));

/** Where a friend is, as long as it is shared. */
export const placeOf = (link: Link): Identity.SharedPlace | undefined =>
  (link.other.place && new Date(link.other.place.expiresAt).getTime() > Date.now() ? link.other.place : undefined);
