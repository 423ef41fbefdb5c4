import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { currentPosition } from "../../../shared/device/position";
import { ChoiceField, Form, Submit, useForm } from "../../../shared/forms";
import { time } from "../../../shared/format";
import { session } from "../../../shared/session";
import { Button, Card, Note, Section, toast } from "../../../shared/ui";
import { words } from "./words";

const lengths = [30, 120, 480, 1440];
const nameOfLength = (minutes: number): string => (minutes < 60 ? words.minutes(minutes) : words.hours(minutes / 60));

// The API does not tell until when one's own place is shared: this phone remembers what it has shared itself.
const kept = (): string => `serai-shared-${session.get().account ?? ""}`;
const until = (): string | undefined => {
  const found = localStorage.getItem(kept()) ?? undefined;
  return found && new Date(found).getTime() > Date.now() ? found : undefined;
};

/** Shows friends where one is, for some time; or nobody. */
export const MyPlace: Component = () => {
  const [shared, setShared] = useState(until);
  const [isStopping, setStopping] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const form = useForm({
    initial: { minutes: "120" },
    send: async (values) => {
      setFault(undefined);
      const { latitude, longitude } = await currentPosition();
      return api.put("/identity/v1/accounts/me/shared-place", {}, { latitude, longitude, minutes: Number(values.minutes) });
    },
    done: (answer) => {
      localStorage.setItem(kept(), answer.expiresAt);
      setShared(answer.expiresAt);
    },
  });
  const stop = async (): Promise<void> => {
    setStopping(true);
    setFault(undefined);
    try {
      await api.delete("/identity/v1/accounts/me/shared-place");
      localStorage.removeItem(kept());
      setShared(undefined);
      toast(words.stopped);
    } catch (error) {
      setFault(textOf(error));
    }
    setStopping(false);
  };
  return (
    <Section title={words.mine}>
      <Card>
        <Form form={form} label={words.mine}>
          {shared && <Note tone="good" icon="pin" live>{words.shared(time(shared))}<br /><span class="small">{words.sharedText}</span></Note>}
          <ChoiceField form={form} name="minutes" label={words.howLong} inRow options={lengths.map((one) => ({ value: String(one), label: nameOfLength(one) }))} />
          {fault && <Note tone="warning" live>{fault}</Note>}
          <Submit form={form} kind={shared ? "second" : "primary"}>{shared ? words.shareAgain : words.share}</Submit>
          {/* Another phone may have shared it: one can always stop. */}
          <Button kind="quiet" busy={isStopping} onTap={() => void stop()}>{words.stop}</Button>
        </Form>
      </Card>
    </Section>
  );
};
