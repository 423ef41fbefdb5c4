import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { Form, Submit, useForm } from "../../../shared/forms";
import { marketName } from "../../../shared/market";
import { invalidate } from "../../../shared/resources";
import { back } from "../../../shared/router";
import { settled } from "../../../shared/session";
import { Empty, Loaded, Screen, Section, toast } from "../../../shared/ui";
import { SignUp, useSignUp } from "../../signup";
import { TermsText } from "../register/terms";
import type { PartProperties } from "./index";
import { words } from "./words";

const Terms: Component<{ market: string; terms: NonNullable<SignUp["terms"]>; isLast: boolean }> = ({ market, terms, isLast }) => {
  const form = useForm({
    initial: {},
    send: (_, key) => api.post("/identity/v1/accounts/me/terms", {}, { market, version: terms.version }, { key }),
    done: () => {
      invalidate("me");
      toast(words.termsAccepted);
      if (!isLast) return;
      settled("terms");
      back("");
    },
    // Another version came meanwhile: it is read anew.
    refused: () => invalidate("registration"),
  });
  return (
    <Section title={marketName(market)}>
      <div class="card"><TermsText terms={terms} /></div>
      <Form form={form}><Submit form={form}>{words.acceptTerms}</Submit></Form>
    </Section>
  );
};

const OfMarket: Component<{ market: string; isLast: boolean }> = ({ market, isLast }) => {
  const rules = useSignUp(market);
  return <Loaded of={rules}>{(found) => (found.terms ? <Terms market={market} terms={found.terms} isLast={isLast} /> : null)}</Loaded>;
};

/** Terms that have another version than the one that was accepted: each market's, to read and to accept. */
export const NewTerms: Component<PartProperties> = ({ me }) => {
  const asked = me.value?.termsAsked ?? [];
  return (
    <Screen title={words.newTerms} back="me">
      {asked.length === 0 && <Empty icon="check" title={words.termsAccepted} />}
      {asked.map((one) => <OfMarket key={one.market} market={one.market} isLast={asked.length === 1} />)}
    </Screen>
  );
};
