import type { Dispatch } from "api-types";
import type { Component } from "preact";
import { useEffect, useRef, useState } from "preact";
import { api } from "../../../shared/api/client";
import { Problem } from "../../../shared/api/problem";
import { fieldId, Form, LongTextField, PhotoField, Submit, TextField, useForm } from "../../../shared/forms";
import { ChosenPlace, PlaceField } from "../../../shared/map/place-picker";
import { useMarket } from "../../../shared/market";
import { Photo } from "../../../shared/photo";
import { invalidate } from "../../../shared/resources";
import { back } from "../../../shared/router";
import { Screen, toast } from "../../../shared/ui";
import type { ScreenProperties } from "../../features";
import { mobileNumber } from "../register/details";
import type { Hours } from "../food/days";
import { HoursField } from "./hours";
import { Own, useOwn } from "./own";
import { words } from "./words";

const Editor: Component<{ market: string; restaurant?: Dispatch.Restaurant }> = ({ market, restaurant }) => {
  const [place, setPlace] = useState<ChosenPlace | undefined>(restaurant && { latitude: restaurant.latitude, longitude: restaurant.longitude, name: restaurant.name });
  const [hours, setHours] = useState<Hours[]>(restaurant?.hours ?? []);
  const [photo, setPhoto] = useState<Blob | undefined>(undefined);
  /** The photo that was sent already: what is refused and sent again does not send it once more. */
  const sent = useRef<{ photo: Blob; id: string } | undefined>(undefined);
  const pictureOf = async (chosen: Blob): Promise<string> => {
    if (sent.current?.photo !== chosen) sent.current = { photo: chosen, id: (await api.post("/dispatch/v1/photos", {}, chosen as never)).photo };
    return sent.current.id;
  };
  const form = useForm({
    initial: {
      name: restaurant?.names.en ?? restaurant?.name ?? "", arabicName: restaurant?.names.ar ?? "", description: restaurant?.description ?? "",
      minutes: String(restaurant?.preparationMinutes ?? 20), place: restaurant ? "here" : "", address: restaurant?.address ?? "", phone: restaurant?.phone ?? "",
    },
    needed: ["name"],
    check: (values) => ({
      place: !values.place && words.placeNeeded,
      minutes: !(/^\d{1,3}$/.test(values.minutes.trim()) && Number(values.minutes) >= 1 && Number(values.minutes) <= 240) && words.badMinutes,
    }),
    pointers: { "/preparationMinutes": "minutes", "/latitude": "place", "/longitude": "place" },
    send: async (values) => api.put("/dispatch/v1/markets/{market}/restaurant", { market }, {
      name: values.name.trim(), arabicName: values.arabicName.trim() || undefined, description: values.description.trim() || undefined,
      latitude: (place as ChosenPlace).latitude, longitude: (place as ChosenPlace).longitude, preparationMinutes: Number(values.minutes),
      address: values.address.trim() || undefined, phone: values.phone.trim() ? mobileNumber(values.phone) : undefined, hours, picture: photo ? await pictureOf(photo) : restaurant?.picture,
    }),
    done: () => {
      invalidate("restaurant");
      toast(words.infoSaved);
      back("kitchen");
    },
  });
  form.label("place", words.place);
  // The place's name is not kept with a restaurant; it is read from the map.
  useEffect(() => {
    if (!restaurant) return;
    const { latitude, longitude } = restaurant;
    api.get("/dispatch/v1/markets/{market}/places/at", { market, latitude, longitude }).then(
      (found) => setPlace((old) => (old?.latitude === latitude && found.name ? { ...old, name: found.name } : old)), () => undefined);
  }, []);
  return (
    <Screen title={words.details} back="kitchen" footer={<Submit form={form}>{words.save}</Submit>}>
      <Form form={form}>
        <TextField form={form} name="name" label={words.restaurantName} maximum={100} />
        <TextField form={form} name="arabicName" label={words.arabicName} maximum={100} optional />
        <LongTextField form={form} name="description" label={words.description} hint={words.descriptionHint} maximum={1000} optional />
        <PlaceField id={fieldId(form, "place")} label={words.place} value={place} fault={form.faults.place} onChoose={(found) => { setPlace(found); form.set("place", "chosen"); }} />
        <TextField form={form} name="address" label={words.address} maximum={300} autocomplete="street-address" optional />
        <TextField form={form} name="phone" label={words.phone} kind="tel" autocomplete="tel" optional />
        {restaurant?.picture && !photo && <Photo id={restaurant.picture} icon="store" large />}
        <PhotoField label={words.photo} value={photo} onChoose={setPhoto} />
        <TextField form={form} name="minutes" label={words.minutes} kind="digits" maximum={3} />
        <HoursField value={hours} onChange={setHours} />
      </Form>
    </Screen>
  );
};

/** What customers see of the restaurant. */
const Info: Component<ScreenProperties> = () => {
  const { id: market } = useMarket();
  const own = useOwn();
  if (own.value) return <Editor market={market} restaurant={own.value} />;
  if (own.error instanceof Problem && own.error.status === 404) return <Editor market={market} />;
  return <Screen title={words.details} back="kitchen"><Own of={own}>{() => null}</Own></Screen>;
};

export default Info;
