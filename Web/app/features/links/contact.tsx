import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { invalidate } from "../../../shared/resources";
import { Screen, Skeleton } from "../../../shared/ui";
import { Outcome } from "./outcome";
import { takeToken } from "./token";
import { words } from "./words";

/** A new e-mail address counts from here on. */
const NewContact: Component = () => {
  const [token] = useState(takeToken);
  const [outcome, setOutcome] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (!token) return setOutcome(words.refusedText);
    api.post("/identity/v1/contact-changes/finish", {}, { token }, { key: newKey(), anonymous: true }).then(() => {
      invalidate("me");
      setOutcome("");
    }, (error) => setOutcome(textOf(error)));
  }, []);
  if (outcome === undefined) return <Screen title={words.contactSaved} plain><Skeleton rows={2} /></Screen>;
  return outcome ? <Outcome icon="warning" title={words.refused} text={outcome} /> : <Outcome icon="check" title={words.contactSaved} isDone />;
};

export default NewContact;
