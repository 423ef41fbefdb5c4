import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { useCell } from "../../../shared/cell";
import { chooseLanguage, Language, language, languageName, languages } from "../../../shared/language";
import { invalidate } from "../../../shared/resources";
import { textSize, Theme, theme } from "../../../shared/theme";
import { List, Note, Screen, Switch, toast } from "../../../shared/ui";
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

type Way = "mail" | "sms" | "push";

export const Notices: Component<PartProperties> = ({ me }) => {
  const [chosen, setChosen] = useState<Partial<Record<Way, boolean>>>({});
  const notices = { ...me.value?.notices, ...chosen };
  const change = (way: Way, on: boolean): void => {
    setChosen({ ...chosen, [way]: on });
    api.patch("/identity/v1/accounts/me", {}, { notices: { [way]: on } }).then(() => invalidate("me"), (error) => {
      setChosen({ ...chosen, [way]: !on });
      toast(textOf(error));
    });
  };
  const ways: [Way, string][] = [["mail", words.byMail], ["sms", words.bySMS], ["push", words.byPush]];
  return (
    <Screen title={words.notices} back="me">
      <List>{ways.map(([way, label]) => <li key={way}><Switch on={notices[way] ?? false} label={label} onChange={(on) => change(way, on)} /></li>)}</List>
      <Note>{words.noticesText}</Note>
    </Screen>
  );
};
