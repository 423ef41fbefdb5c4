import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { Form, Submit, useForm } from "../../../shared/forms";
import { marketName } from "../../../shared/market";
import { invalidate } from "../../../shared/resources";
import { back, go, place } from "../../../shared/router";
import { renewRoles, settled } from "../../../shared/session";
import { Empty, Loaded, Screen, Section, toast } from "../../../shared/ui";
import { SignUp, useSignUp } from "../../signup";
import { TermsText } from "../register/terms";
import type { PartProperties } from "./index";
import { words } from "./words";

const Terms: Component<{ market: string; terms: NonNullable<SignUp["terms"]>; isLast: boolean }> = ({ market, terms, isLast }) => {
  const form = useForm({
    initial: {},
    send: (_, key) => api.post("/identity/v1/accounts/me/terms", {}, { market, version: terms.version }, { key }),
    done: async () => {
      invalidate("me");
      toast(words.termsAccepted);
      // Where a market enforces its terms, the next token is the first one with the roles.
      await renewRoles().catch(() => undefined);
      if (!isLast) return;
      settled("terms");
      const next = place.get().query.get("to");
      if (next === null) back("");
      else go(next, { replace: true });
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

/** Terms of which the current version was not accepted yet: each market's, to read and to accept. `?to` is where one goes on. */
export const NewTerms: Component<PartProperties> = ({ me }) => {
  const asked = me.value?.termsAsked ?? [];
  const isFirst = !me.value?.terms.some((one) => one.market === place.get().market);
  return (
    <Screen title={isFirst ? words.terms : words.newTerms} back={isFirst ? "" : "me"}>
      {isFirst && asked.length > 0 && <p>{words.termsFirst}</p>}
      {asked.length === 0 && <Empty icon="check" title={words.termsAccepted} />}
      {asked.map((one) => <OfMarket key={one.market} market={one.market} isLast={asked.length === 1} />)}
    </Screen>
  );
};
