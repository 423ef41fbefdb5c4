import type { Component } from "preact";
import { api } from "../../../shared/api/client";
import { useCell } from "../../../shared/cell";
import { chooseLanguage, Language, language, languageName, languages } from "../../../shared/language";
import { invalidate } from "../../../shared/resources";
import { textSize, Theme, theme } from "../../../shared/theme";
import { Screen } from "../../../shared/ui";
import type { PartProperties } from "./index";
import { words } from "./words";

/** Choices that count at once. */
function Choices<T extends string | number>({ name, label, value, options, onChoose }: {
  name: string; label: string; value: T; options: { value: T; label: string }[]; onChoose: (value: T) => void;
}): JSX.Element {
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      <div class="choices in-row">
        {options.map((option) => (
          <label key={option.value} class="choice">
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChoose(option.value)} />
            <span class="row-text">{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export const Settings: Component<PartProperties> = () => {
  const tongue = useCell(language);
  const look = useCell(theme);
  const size = useCell(textSize);
  const choose = (chosen: Language): void => {
    chooseLanguage(chosen);
    api.patch("/identity/v1/accounts/me", {}, { language: chosen }).then(() => invalidate("me"), () => undefined);
  };
  return (
    <Screen title={words.settings} back="me">
      <div class="form">
        <Choices name="language" label={words.language} value={tongue} onChoose={choose} options={languages.map((one) => ({ value: one, label: languageName[one] }))} />
        <Choices<Theme> name="theme" label={words.look} value={look} onChoose={(chosen) => theme.set(chosen)} options={[
          { value: "auto", label: words.auto }, { value: "light", label: words.light }, { value: "dark", label: words.dark }, { value: "sun", label: words.sun },
        ]} />
        <Choices name="text" label={words.text} value={size} onChoose={(chosen) => textSize.set(chosen)} options={[
          { value: 100, label: words.usual }, { value: 125, label: words.large }, { value: 150, label: words.larger },
        ]} />
      </div>
    </Screen>
  );
};
