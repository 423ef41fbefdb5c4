import type { Component } from "preact";
import { useEffect, useState } from "preact";
import { api } from "./api/client";
import { Icon } from "./ui/kit";

const urls = new Map<string, Promise<string>>();

/** A photo of dispatch, which is read with a token: it never changes, so it is read once. */
function urlOf(id: string): Promise<string> {
  const found = urls.get(id) ?? api.get("/dispatch/v1/photos/{id}", { id }).then((blob) => URL.createObjectURL(blob as unknown as Blob));
  urls.set(id, found);
  found.catch(() => urls.delete(id));
  return found;
}

/** A picture in a square; a drawing where there is none, or until it is here. */
export const Photo: Component<{ id?: string; icon: string; alt?: string; large?: boolean }> = ({ id, icon, alt = "", large }) => {
  const [url, setUrl] = useState<string | undefined>(undefined);
  useEffect(() => {
    setUrl(undefined);
    let isOld = false;
    if (id) urlOf(id).then((found) => { if (!isOld) setUrl(found); }, () => undefined);
    return () => { isOld = true; };
  }, [id]);
  const look = large ? "picture large" : "picture";
  return url ? <img class={look} src={url} alt={alt} /> : <span class={look} aria-hidden="true"><Icon name={icon} size={large ? 48 : 28} /></span>;
};
