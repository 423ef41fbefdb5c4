import type { Component } from "preact";
import { useGet } from "../../../shared/resources";
import { Screen, Skeleton } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { ChangeEmail, ChangeMobile } from "./contact";
import { Data } from "./data";
import { AddRole } from "./add-role";
import { Billing } from "./billing";
import { Devices } from "./devices";
import { Factor } from "./factor";
import { Overview } from "./overview";
import { ChangePassword } from "./password";
import { ProfileForm } from "./profile";
import { Published } from "./published";
import { Notices } from "./notices";
import { Settings } from "./settings";
import { NewTerms } from "./terms";
import { words } from "./words";

const parts: Record<string, Component<PartProperties>> = {
  profile: ProfileForm, email: ChangeEmail, mobile: ChangeMobile, settings: Settings, notices: Notices, security: Devices,
  password: ChangePassword, factor: Factor, data: Data, role: AddRole, terms: NewTerms, published: Published, billing: Billing,
};

export interface PartProperties {
  me: ReturnType<typeof useMe>;
}

/** The account that is logged in. */
export const useMe = () => useGet("/identity/v1/accounts/me", {}, ["me"]);

/** Me, and the screens behind it. */
const Me: Component<ScreenProperties> = ({ params }) => {
  const me = useMe();
  const Part = parts[params.rest ?? ""];
  if (!Part) return <Overview me={me} />;
  if (!me.value) return <Screen title={words.title} back="me"><Skeleton /></Screen>;
  return <Part me={me} />;
};

export default Me;
