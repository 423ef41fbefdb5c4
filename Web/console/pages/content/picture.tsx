import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { PhotoField } from "../../../shared/forms";
import { Button, Note, toast } from "../../../shared/ui";
import { localized } from "../../../shared/words";
import { Act, Part, readAgain } from "../../kit";
import { useMay } from "../../rights";
import type { Entry, Section } from "./entry";
import { words } from "./words";

const path = "/admin/v1/markets/{market}/content/{section}/{id}/image";
const tags = ["content"];

/** The picture, and another one in its place: what is chosen is shown before it is sent. What it shows is written with the text. */
export const Picture: Component<{ entry: Entry; parameters: { market: string; section: Section; id: string } }> = ({ entry, parameters }) => {
  const may = useMay();
  const [chosen, setChosen] = useState<Blob | undefined>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.put(path, parameters, chosen as Blob, { seen: entry.version });
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
  if (!may && !entry.image) return null;
  return (
    <Part title={words.picture}>
      <div class="entry-picture">
        {entry.image && <img src={entry.image} alt={entry.alt ? localized(entry.alt) : words.noAlt} />}
        {may && <PhotoField label={words.otherPicture} value={chosen} onChoose={choose} />}
        {chosen && <Button busy={isBusy} onTap={() => void save()}>{words.savePicture}</Button>}
        {entry.image && !chosen && (
          <Act small label={words.removePicture} title={words.removePicture} text={words.removePictureText} tags={tags} send={() => api.delete(path, parameters)} />
        )}
      </div>
      {fault && <Note tone="danger" live>{fault}</Note>}
    </Part>
  );
};
