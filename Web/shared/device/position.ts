import { Failure } from "../api/problem";
import { catalogue } from "../words";

export interface Coordinates {
  latitude: number;
  longitude: number;
}
export interface Fix extends Coordinates {
  accuracyMetres: number;
  at: number;
}

const words = catalogue({
  denied: {
    en: "Your browser does not share your place with this page. Allow it in the page's settings, or choose a place yourself",
    ar: "المتصفح لا يشارك موقعك مع هذه الصفحة. اسمح بذلك من إعدادات الصفحة أو حدد المكان بنفسك",
  },
  unknown: { en: "Your place could not be found. Choose it yourself, or try again outdoors", ar: "تعذر تحديد موقعك. حدد المكان بنفسك أو حاول في مكان مفتوح" },
});

/** Why there is no position, in words for the person. */
export class NoPosition extends Failure {
  constructor(readonly isDenied: boolean) {
    super(isDenied ? words.denied : words.unknown);
  }
}

const fix = ({ coords, timestamp }: GeolocationPosition): Fix => ({
  latitude: coords.latitude, longitude: coords.longitude, accuracyMetres: Math.max(1, Math.round(coords.accuracy)), at: timestamp,
});
const failed = (error: GeolocationPositionError): NoPosition => new NoPosition(error.code === error.PERMISSION_DENIED);

/** Where the phone is now, or was some seconds ago. Asks for the permission: call it when the reason is on the screen. */
export const currentPosition = ({ maximumAge = 10_000, timeout = 10_000 } = {}): Promise<Fix> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition((found) => resolve(fix(found)), (error) => reject(failed(error)), {
      enableHighAccuracy: true, timeout, maximumAge,
    }));

/** Each position of the phone, until the returned function is called. */
export function watchPosition(reader: (found: Fix) => void, onError: (error: NoPosition) => void): () => void {
  const id = navigator.geolocation.watchPosition((found) => reader(fix(found)), (error) => onError(failed(error)), {
    enableHighAccuracy: true, timeout: 30_000, maximumAge: 1000,
  });
  return () => navigator.geolocation.clearWatch(id);
}

/** Whether the person has allowed it already, so that nothing is asked. */
export async function mayReadPosition(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
  } catch {
    return false;
  }
}

/** Metres between two places, on the sphere. */
export function metresBetween(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [latitude, longitude] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
  const half = Math.sin(latitude / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(longitude / 2) ** 2;
  return 2 * 6_371_000 * Math.asin(Math.sqrt(half));
}
