import { useEffect, useState } from "preact";
import { Coordinates } from "../../../shared/device/position";

const kaaba: Coordinates = { latitude: 21.422487, longitude: 39.826206 };

/** Degrees from true north, clockwise, of the great circle to the Kaaba. It is computed here: no place leaves the phone for it. */
export function qiblaFrom({ latitude, longitude }: Coordinates): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [from, end, turn] = [radians(latitude), radians(kaaba.latitude), radians(kaaba.longitude - longitude)];
  const angle = Math.atan2(Math.sin(turn), Math.cos(from) * Math.tan(end) - Math.sin(from) * Math.cos(turn));
  return ((angle * 180) / Math.PI + 360) % 360;
}

interface Orientation extends DeviceOrientationEvent {
  /** Safari: degrees from magnetic north, clockwise. */
  webkitCompassHeading?: number;
}
type Asking = { requestPermission?: () => Promise<"granted" | "denied"> };

/** How the screen itself is turned: a compass counts from the phone's upper edge. */
const screenAngle = (): number => screen.orientation?.angle ?? 0;

function headingOf(event: Orientation): number | undefined {
  if (event.webkitCompassHeading !== undefined) return (event.webkitCompassHeading + screenAngle()) % 360;
  return event.absolute && event.alpha !== null ? (360 - event.alpha + screenAngle()) % 360 : undefined;
}

export interface Compass {
  /** Degrees clockwise from north to which the phone's upper edge points; undefined where it has no compass. */
  heading?: number;
  /** Whether the phone wants a tap before it tells. */
  asks: boolean;
  start: () => Promise<void>;
}

export function useCompass(): Compass {
  const asking = (globalThis.DeviceOrientationEvent ?? {}) as unknown as Asking;
  const [heading, setHeading] = useState<number | undefined>(undefined);
  const [asks, setAsks] = useState(asking.requestPermission !== undefined);
  useEffect(() => {
    const hear = (event: Event): void => {
      const found = headingOf(event as Orientation);
      if (found !== undefined) setHeading(Math.round(found));
    };
    const kinds = ["deviceorientationabsolute", "deviceorientation"];
    kinds.forEach((kind) => addEventListener(kind, hear));
    return () => kinds.forEach((kind) => removeEventListener(kind, hear));
  }, [asks]);
  const start = async (): Promise<void> => {
    // Denied or granted, it is not asked for again.
    await asking.requestPermission?.().catch(() => "denied");
    setAsks(false);
  };
  return { heading, asks, start };
}
