import type { Component } from "preact";
import { useState } from "preact";
import { api } from "../../../../shared/api/client";
import { textOf } from "../../../../shared/api/problem";
import { PhotoField } from "../../../../shared/forms";
import { Photo } from "../../../../shared/photo";
import { invalidate } from "../../../../shared/resources";
import { Button, toast, undoable } from "../../../../shared/ui";
import type { View } from "../view";
import { words } from "./parcel-words";

/** Whether the owner still has the parcel, and may put another photo on it or take it off. */
export const isBeforePickUp = ({ order, side, isOnlySeen }: View): boolean =>
  side === "customer" && !isOnlySeen && ["pending", "requested", "accepted"].includes(order.state);

/** The photo of a parcel, large; its owner changes it until it is picked up. */
export const ParcelPhoto: Component<{ view: View }> = ({ view }) => {
  const id = view.order.order;
  const photo = view.order.parcel?.photo;
  const [isBusy, setBusy] = useState(false);
  const [isHidden, setHidden] = useState(false);
  const shown = isHidden ? undefined : photo;
  const change = async (blob: Blob): Promise<void> => {
    setBusy(true);
    try {
      const sent = await api.post("/dispatch/v1/photos", {}, blob as never);
      await api.put("/dispatch/v1/orders/{id}/photo", { id }, { photo: sent.photo });
      toast(words.photoChanged);
    } catch (error) {
      toast(textOf(error));
    }
    invalidate(`order:${id}`, "orders");
    setBusy(false);
  };
  const remove = (): void => {
    setHidden(true);
    undoable(words.photoRemoved, () => api.delete("/dispatch/v1/orders/{id}/photo", { id }).catch((error) => toast(textOf(error))).then(() => {
      setHidden(false);
      invalidate(`order:${id}`, "orders");
    }), () => setHidden(false));
  };
  if (!isBeforePickUp(view)) return photo ? <Photo id={photo} icon="parcel" alt={words.photo} large /> : null;
  return (
    <div class="stack tight">
      {shown && <Photo id={shown} icon="parcel" alt={words.photo} large />}
      {isBusy ? <p class="hint" role="status">{words.photoSending}</p> : <PhotoField label={shown ? words.photoChange : words.photoAdd} hint={words.photoUntil} value={undefined} onChoose={(blob) => void change(blob)} />}
      {shown && !isBusy && <Button kind="quiet" icon="trash" onTap={remove}>{words.photoRemove}</Button>}
    </div>
  );
};
