import { useState } from "preact";
import { CheckField, FormState, Values } from "../../../shared/forms";
import { Button, Sheet } from "../../../shared/ui";
import type { SignUp } from "../../signup";
import { words } from "./words";

type Terms = NonNullable<SignUp["terms"]>;

/** The terms with their version, in paragraphs as they were written. */
export const TermsText = ({ terms }: { terms: Terms }): JSX.Element => (
  <div class="stack tight">
    {terms.text.split(/\n+/).map((part, index) => <p key={index} dir="auto">{part}</p>)}
    <p class="muted small">{words.termsVersion(terms.version)}</p>
  </div>
);

/** Accepts the terms; a tap shows what they say. */
export function TermsField<V extends Values & { terms: boolean }>({ form, terms }: { form: FormState<V>; terms: Terms }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="stack tight">
      <CheckField form={form as unknown as FormState<{ terms: boolean }>} name="terms" label={words.terms} />
      <Button kind="quiet" icon="document" onTap={() => setOpen(true)}>{words.readTerms}</Button>
      {isOpen && <Sheet title={words.termsTitle} onClose={() => setOpen(false)}><TermsText terms={terms} /></Sheet>}
    </div>
  );
}
