import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { PhotoField } from "../../../shared/forms";
import { number } from "../../../shared/format";
import { usePlace } from "../../../shared/router";
import { Badge, Button, Money, Note, toast } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import { Act, Facts, Part, readAgain, When, Who } from "../../kit";
import { useMay } from "../../rights";
import { partyName } from "../../states";
import { Around, bodyOf, check, Entry, fieldsOf, nameOf, pointers, Section } from "./fields";
import { languageNames, textNames, words } from "./words";

export const tags = ["catalogue", "market"];
const path = "/admin/v1/markets/{market}/catalogue/{section}/{id}";

export const Add: Component<{ around: Around; section: Section }> = ({ around, section }) => {
  const { market } = usePlace();
  return (
    <Act label={words.add} title={`${words.add}: ${words[section]}`} look="primary" tags={tags} fields={fieldsOf(around)} check={check(around.view)} pointers={pointers(100)}
      send={(values, key) => api.post("/admin/v1/markets/{market}/catalogue/{section}", { market, section }, { id: String(values.id), ...bodyOf(around, values) }, { key })} />
  );
};

export const EntryActs: Component<{ entry: Entry; around: Around }> = ({ entry, around }) => {
  const { market } = usePlace();
  const parameters = { market, section: entry.section as Section, id: entry.id };
  const name = isolate(nameOf(entry));
  const seen = entry.version;
  return (
    <>
      <Act label={words.change} title={words.changeTitle(name)} look="primary" tags={tags} fields={fieldsOf(around, entry)} check={check(around.view)} pointers={pointers(100)}
        send={(values, key) => api.put(path, parameters, bodyOf(around, values, entry), { key, seen })} />
      {!entry.fixed && (entry.active
        ? <Act label={words.retire} title={words.retireTitle(name)} text={words.retireText} look="danger" tags={tags} send={(_, key) => api.post(`${path}/retire`, parameters, undefined, { key, seen })} />
        : <Act label={words.restore} title={words.restoreTitle(name)} tags={tags} send={(_, key) => api.post(`${path}/restore`, parameters, undefined, { key, seen })} />)}
      {around.view.open && <Move entry={entry} items={around.view.items} />}
    </>
  );
};

/** Where an entry goes that moves by one: services move among those of their type. Undefined where it is at the end already. */
export function placeOf(entry: Entry, items: Entry[], step: 1 | -1): { before?: string } | undefined {
  const group = items.filter((one) => one.type === entry.type);
  const neighbour = group[group.findIndex((one) => one.id === entry.id) + step];
  if (!neighbour) return undefined;
  return { before: step < 0 ? neighbour.id : items[items.findIndex((one) => one.id === neighbour.id) + 1]?.id };
}

export function useMove(): (entry: Entry, items: Entry[], step: 1 | -1) => Promise<void> {
  const { market } = usePlace();
  return async (entry, items, step) => {
    const place = placeOf(entry, items, step);
    if (!place) return;
    try {
      await api.put(`${path}/place`, { market, section: entry.section as Section, id: entry.id }, place);
      readAgain(...tags);
      toast(words.moved);
    } catch (error) {
      toast(textOf(error));
    }
  };
}

const Move: Component<{ entry: Entry; items: Entry[] }> = ({ entry, items }) => {
  const may = useMay();
  const move = useMove();
  if (!may) return null;
  return (
    <>
      <Button kind="quiet" disabled={!placeOf(entry, items, -1)} onTap={() => void move(entry, items, -1)}>{words.up}</Button>
      <Button kind="quiet" disabled={!placeOf(entry, items, 1)} onTap={() => void move(entry, items, 1)}>{words.down}</Button>
    </>
  );
};

/** The picture, and another one in its place: what is chosen is shown before it is sent. */
const Picture: Component<{ entry: Entry }> = ({ entry }) => {
  const { market } = usePlace();
  const may = useMay();
  const [chosen, setChosen] = useState<Blob | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const parameters = { market, section: entry.section as Section, id: entry.id };
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.put(`${path}/image`, parameters, chosen as Blob, { seen: entry.version });
      setChosen(undefined);
      readAgain(...tags);
      toast(words.pictureSaved);
    } catch (error) {
      setFault(textOf(error));
    }
    setBusy(false);
  };
  const choose = (photo: Blob): void => {
    setFault(undefined);
    setChosen(photo);
  };
  return (
    <Part title={words.picture}>
      <div class="entry-picture">
        {entry.image && <img src={entry.image} alt="" />}
        {may && <PhotoField label={words.choose} hint={words.chooseHint} value={chosen} onChoose={choose} />}
        {chosen && <Button busy={isBusy} onTap={() => void save()}>{words.savePicture}</Button>}
        {entry.uploaded && !chosen && (
          <Act small label={words.removePicture} title={words.removePicture} text={words.removeText} tags={tags} send={() => api.delete(`${path}/image`, parameters)} />
        )}
      </div>
      {fault && <Note tone="danger" live>{fault}</Note>}
    </Part>
  );
};

/** Both languages side by side. */
const Texts: Component<{ entry: Entry; around: Around }> = ({ entry, around }) => (
  <div class="table-scroll" role="region" aria-label={words.entry} tabIndex={0}>
    <table class="table">
      <thead><tr><th scope="col">{words.entry}</th>{around.view.languages.map((language) => <th key={language} scope="col">{(languageNames as Record<string, string>)[language] ?? language}</th>)}</tr></thead>
      <tbody>
        {[...around.view.required, ...around.view.optional].filter((text) => entry.texts[text]).map((text) => (
          <tr key={text}>
            <th scope="row">{(textNames as Record<string, string>)[text] ?? text}</th>
            {around.view.languages.map((language) => <td key={language} lang={language} dir="auto">{entry.texts[text]?.[language]}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const EntryDetails: Component<{ entry: Entry; around: Around }> = ({ entry, around }) => {
  const titleNames = (entry.titles ?? []).map((id) => { const title = around.titles.find((one) => one.id === id); return title ? nameOf(title) : id; });
  const type = around.types.find((one) => one.id === entry.type);
  return (
    <>
      {entry.fixed && around.view.open && <Note>{words.fixed}</Note>}
      <Texts entry={entry} around={around} />
      <Facts of={[
        [words.state, <Badge tone={entry.active ? "good" : "neutral"}>{entry.active ? words.active : words.retired}</Badge>],
        [words.type, type && nameOf(type)], [words.doneBy, entry.titles && (titleNames.join(", ") || words.everybody)], [words.minutes, entry.minutes !== undefined && number(entry.minutes)],
        [words.price, entry.section === "services" && (entry.price !== undefined && around.view.currency ? <Money value={{ amount: entry.price, currency: around.view.currency }} /> : words.noPrice)],
        [words.spellings, entry.spellings && entry.spellings.length > 0 && entry.spellings.map((one) => <div key={one}><bdi>{one}</bdi></div>)], [words.ambiguous, entry.ambiguous && "✓"],
        [words.parties, entry.parties && (entry.parties.map(partyName).join(", ") || words.onlyPlatform)],
        [words.id, <bdi dir="ltr">{entry.id}</bdi>], [words.changed, entry.changedAt ? <When at={entry.changedAt} exact /> : words.asShipped], [words.by, entry.changedBy && <Who {...entry.changedBy} />],
        [words.version, entry.version > 0 && String(entry.version)],
      ]} />
      {entry.image !== undefined && <Picture key={entry.id} entry={entry} />}
      {around.view.open && <p class="muted">{words.moveHint}</p>}
    </>
  );
};
