import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { scaledPhoto } from "../../../shared/device/photo";
import { ChoiceField, Form, Submit, TextField, useForm } from "../../../shared/forms";
import { invalidate } from "../../../shared/resources";
import { back, to } from "../../../shared/router";
import { rolesIn, settled } from "../../../shared/session";
import { place } from "../../../shared/router";
import { Avatar, Button, Icon, isOwnPicture, List, Note, Row, Screen, toast, undoable } from "../../../shared/ui";
import { useSignUp } from "../../signup";
import type { PartProperties } from "./index";
import { words } from "./words";

const Photo: Component<PartProperties> = ({ me }) => {
  const [isBusy, setBusy] = useState(false);
  const [isHidden, setHidden] = useState(false);
  const profile = me.value;
  if (!profile) return null;
  const choose = async (event: Event): Promise<void> => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (!file) return;
    setBusy(true);
    try {
      await api.put("/identity/v1/accounts/me/avatar", {}, await scaledPhoto(file, 512, 0.85));
      setHidden(false);
      await me.reload();
    } catch (error) {
      toast(textOf(error));
    }
    setBusy(false);
  };
  const remove = (): void => {
    setHidden(true);
    undoable(words.photoDeleted, () => api.delete("/identity/v1/accounts/me/avatar").then(() => invalidate("me"), (error) => { setHidden(false); toast(textOf(error)); }),
      () => setHidden(false));
  };
  return (
    <div class="person">
      <Avatar name={profile.name} src={isHidden ? undefined : profile.avatar} size={88} />
      <div class="stack tight">
        <label class="button second small">
          <Icon name="camera" size={20} /><span>{words.photoChange}</span>
          <input type="file" accept="image/*" class="hidden" disabled={isBusy} onChange={(event) => void choose(event)} />
        </label>
        {isOwnPicture(profile.avatar) && !isHidden && <Button kind="quiet" small onTap={remove}>{words.photoDelete}</Button>}
      </div>
    </div>
  );
};

export const ProfileForm: Component<PartProperties> = ({ me }) => {
  const profile = me.value as NonNullable<typeof me.value>;
  const form = useForm({
    initial: { name: profile.name, gender: profile.gender ?? "", birthDate: profile.birthDate ?? "" },
    needed: ["name"],
    send: (values) => api.patch("/identity/v1/accounts/me", {}, {
      name: values.name.trim(), gender: (values.gender || undefined) as "female" | "male" | undefined, birthDate: values.birthDate || undefined,
    }),
    done: (_, values) => {
      invalidate("me");
      if (values.birthDate) settled("birth-date");
      toast(words.saved);
      back("me");
    },
  });
  const own = rolesIn(place.get().market);
  const isProvider = own.some((role) => role.role === "provider");
  const rules = useSignUp().value;
  const asksBilling = rules?.roles.some((rule) => rule.asksBillingAddress && own.some((role) => role.role === rule.role && role.title === rule.title));
  const contact = (value: string | undefined, proved: boolean, wanted: string | undefined) => (
    <>{value ? <bdi dir="ltr">{value}</bdi> : words.none}{value && !proved && <> · {words.unproved}</>}{wanted && <><br />{words.pending(wanted)}</>}</>
  );
  return (
    <Screen title={words.profile} back="me" footer={<Submit form={form}>{words.save}</Submit>}>
      <Photo me={me} />
      <List>
        <Row icon="mail" title={words.email} detail={contact(profile.email, profile.emailProved, profile.newEmail)} href={to("me/email")} />
        <Row icon="phone" title={words.mobile} detail={contact(profile.mobile, profile.mobileProved, profile.newMobile)} href={to("me/mobile")} />
        {rules?.publishesContact && <Row icon="eye" title={words.published} href={to("me/published")} />}
        {asksBilling && <Row icon="document" title={words.billing} detail={words.billingText} href={to("me/billing")} />}
      </List>
      <Form form={form}>
        <TextField form={form} name="name" label={words.name} autocomplete="name" maximum={100} />
        <ChoiceField form={form} name="gender" label={words.gender} inRow optional
          options={[{ value: "female", label: words.female }, { value: "male", label: words.male }]} />
        <TextField form={form} name="birthDate" label={words.birth} kind="date" autocomplete="bday" optional />
        {isProvider && <Note>{words.recheck}</Note>}
      </Form>
    </Screen>
  );
};
