import { useEffect, useRef, useState } from "preact";

export const maximumSeconds = 300;
const types = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];

/** Records voice notes where the browser can. */
export function useRecording(done: (file: Blob, seconds: number) => void, refused: () => void): {
  can: boolean; seconds: number | undefined; start: () => void; stop: () => void; cancel: () => void;
} {
  const [seconds, setSeconds] = useState<number | undefined>(undefined);
  const recorder = useRef<MediaRecorder | undefined>(undefined);
  // Counts starts and ends: the browser's question may be answered when nobody wants to record any more.
  const turn = useRef(0);
  const can = typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

  const end = (keep: boolean): void => {
    turn.current += 1;
    const own = recorder.current;
    recorder.current = undefined;
    setSeconds(undefined);
    if (!own || own.state === "inactive") return;
    if (!keep) own.ondataavailable = null;
    own.stop();
  };
  const start = async (): Promise<void> => {
    const mine = (turn.current += 1);
    let stream: MediaStream | undefined;
    // The microphone's light goes out at once.
    const release = (): void => stream?.getTracks().forEach((track) => track.stop());
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (mine !== turn.current) return release();
      const type = types.find((one) => MediaRecorder.isTypeSupported(one));
      const own = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 32_000 });
      const began = Date.now();
      own.ondataavailable = (event) => {
        if (event.data.size > 0) done(event.data, Math.min(maximumSeconds, Math.max(1, Math.round((Date.now() - began) / 1000))));
      };
      own.onstop = release;
      own.start();
      recorder.current = own;
      setSeconds(0);
    } catch {
      release();
      refused();
    }
  };
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setTimeout(() => (seconds + 1 >= maximumSeconds ? end(true) : setSeconds(seconds + 1)), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  useEffect(() => () => end(false), []);
  return { can, seconds, start: () => void start(), stop: () => end(true), cancel: () => end(false) };
}
