import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useRef, useState } from "preact";
import { api, newKey } from "../../../shared/api/client";
import { textOf } from "../../../shared/api/problem";
import { Form, LongTextField, PhotoField, Submit, TextField, useForm } from "../../../shared/forms";
import { minorUnits, typedAmount } from "../../../shared/format";
import { Photo } from "../../../shared/photo";
import { invalidate } from "../../../shared/resources";
import { back } from "../../../shared/router";
import { ask, Button, Empty, Screen, toast } from "../../../shared/ui";
import { isolate } from "../../../shared/words";
import type { ScreenProperties } from "../../features";
import { Own, useOwn } from "./own";
import { words } from "./words";

const Editor: Component<{ restaurant: Dispatch.Restaurant; item?: Dispatch.MenuItem }> = ({ restaurant, item }) => {
  const { market, currency } = restaurant;
  const [photo, setPhoto] = useState<Blob | undefined>(undefined);
  const [isRemoving, setRemoving] = useState(false);
  /** The photo that was sent already: what is refused and sent again does not send it once more. */
  const sent = useRef<{ photo: Blob; id: string } | undefined>(undefined);
  const pictureOf = async (chosen: Blob): Promise<string> => {
    if (sent.current?.photo !== chosen) sent.current = { photo: chosen, id: (await api.post("/dispatch/v1/photos", {}, chosen as never, { key: newKey() })).photo };
    return sent.current.id;
  };
  const form = useForm({
    initial: {
      name: item?.names.en ?? item?.name ?? "", arabicName: item?.names.ar ?? "", price: item ? typedAmount({ amount: item.price, currency }) : "", ingredients: item?.ingredients ?? "",
    },
    needed: ["name"],
    check: (values) => ({ price: !minorUnits(values.price, currency) && words.badPrice }),
    send: async (values, key) => {
      const picture = photo ? await pictureOf(photo) : item?.picture;
      const body = {
        name: values.name.trim(), arabicName: values.arabicName.trim() || undefined, price: minorUnits(values.price, currency) as number, currency,
        ingredients: values.ingredients.trim() || undefined, picture,
      };
      return item ? api.put("/dispatch/v1/markets/{market}/restaurant/items/{item}", { market, item: item.item }, body)
        : api.post("/dispatch/v1/markets/{market}/restaurant/items", { market }, body, { key });
    },
    done: () => {
      invalidate("restaurant");
      toast(words.saved);
      back("menu");
    },
  });
  const remove = async (): Promise<void> => {
    if (!item || !(await ask({ title: words.removeAsk(isolate(item.name)), text: words.removeText, yes: words.remove, danger: true }))) return;
    setRemoving(true);
    try {
      await api.delete("/dispatch/v1/markets/{market}/restaurant/items/{item}", { market, item: item.item });
      invalidate("restaurant");
      toast(words.removed);
      back("menu");
    } catch (error) {
      toast(textOf(error));
      setRemoving(false);
    }
  };
  return (
    <Screen title={item ? words.changeItem : words.newItem} back="menu" footer={<Submit form={form}>{item ? words.confirm : words.addNow}</Submit>}>
      <Form form={form}>
        {!photo && item?.picture && <Photo id={item.picture} icon="food" large />}
        <PhotoField label={words.picture} value={photo} onChoose={setPhoto} />
        <TextField form={form} name="name" label={words.name} maximum={100} />
        <TextField form={form} name="arabicName" label={words.arabicName} maximum={100} optional />
        <TextField form={form} name="price" label={words.price(currency)} kind="amount" maximum={9} />
        <LongTextField form={form} name="ingredients" label={words.ingredients} hint={words.ingredientsHint} maximum={1000} optional />
      </Form>
      {item && <Button kind="quiet" icon="trash" busy={isRemoving} onTap={() => void remove()}>{words.remove}</Button>}
    </Screen>
  );
};

/** A dish: added, changed or removed. */
const Item: Component<ScreenProperties> = ({ params }) => {
  const own = useOwn();
  const isNew = params.item === "new";
  const item = own.value?.menu.find((one) => one.item === params.item);
  if (own.value && (isNew || item)) return <Editor key={params.item} restaurant={own.value} item={item} />;
  return (
    <Screen title={isNew ? words.newItem : words.changeItem} back="menu">
      <Own of={own}>{() => <Empty icon="food" title={words.gone_} />}</Own>
    </Screen>
  );
};

export default Item;
