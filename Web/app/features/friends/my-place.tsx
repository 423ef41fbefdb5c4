import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { currentPosition } from "../../../shared/device/position";
import { ChoiceField, Form, Submit, useForm } from "../../../shared/forms";
import { ago, dayAndTime } from "../../../shared/format";
import { invalidate, useGet } from "../../../shared/resources";
import { Button, Card, Note, Section, Switch, toast } from "../../../shared/ui";
import { beginSharing, goOnSharing, stopSharing } from "./sharing";
import { words } from "./words";

/** Until one stops it: thirty days is the longest that the service keeps a place. */
const untilStopped = 43_200;
const lengths = [15, 60, 480, untilStopped];
const nameOfLength = (minutes: number): string =>
  minutes === untilStopped ? words.untilStopped : minutes < 60 ? words.minutes(minutes) : words.hours(minutes / 60);

/** Shows friends where one is, for some time; or keeps the place to oneself; or shares none. */
export const MyPlace: Component = () => {
  const own = useGet("/identity/v1/accounts/me/shared-place", {}, ["shared-place"]).value;
  const shared = own?.place && new Date(own.place.expiresAt).getTime() > Date.now() ? own.place : undefined;
  const [isHidden, setHidden] = useState<boolean | undefined>(undefined);
  const [isStopping, setStopping] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const hides = isHidden ?? own?.visible === false;
  useEffect(goOnSharing, []);
  const form = useForm({
    initial: { minutes: "60" },
    send: async (values) => {
      setFault(undefined);
      const { latitude, longitude } = await currentPosition();
      return api.put("/identity/v1/accounts/me/shared-place", {}, { latitude, longitude, minutes: Number(values.minutes), visible: !hides });
    },
    done: (place) => {
      beginSharing(place.expiresAt);
      invalidate("shared-place");
    },
  });
  const stop = async (): Promise<void> => {
    setStopping(true);
    setFault(undefined);
    try {
      await api.delete("/identity/v1/accounts/me/shared-place");
      stopSharing();
      toast(words.stopped);
    } catch (error) {
      setFault(textOf(error));
    }
    invalidate("shared-place");
    setStopping(false);
  };
  return (
    <Section title={words.mine}>
      <Card>
        <Form form={form} label={words.mine}>
          {shared && (
            <Note tone={own?.visible ? "good" : "info"} icon="pin" live>
              {own?.visible ? words.shared(dayAndTime(shared.expiresAt)) : words.kept(ago(shared.sharedAt))}<br /><span class="small">{own?.visible ? words.sharedText : words.keptText}</span>
            </Note>
          )}
          <ChoiceField form={form} name="minutes" label={words.howLong} options={lengths.map((one) => ({ value: String(one), label: nameOfLength(one) }))} />
          <Switch on={!hides} label={words.visible} detail={words.visibleText} onChange={(on) => setHidden(!on)} />
          {fault && <Note tone="warning" live>{fault}</Note>}
          <Submit form={form} kind={shared ? "second" : "primary"}>{shared ? words.shareAgain : words.share}</Submit>
          {/* Another phone may have shared it: one can always stop. */}
          <Button kind="quiet" busy={isStopping} onTap={() => void stop()}>{words.stop}</Button>
        </Form>
      </Card>
    </Section>
  );
};
