/** Keeps the screen on until the returned function is called: while one waits for offers, or drives. Given up where it is refused. */
export function keepAwake(): () => void {
  type Lock = { release(): Promise<void> };
  const source = (navigator as unknown as { wakeLock?: { request(kind: "screen"): Promise<Lock> } }).wakeLock;
  let lock: Lock | undefined;
  let isOver = false;
  const request = (): void => {
    if (document.hidden || isOver) return;
    source?.request("screen").then((found) => {
      lock = found;
      if (isOver) void found.release();
    }, () => undefined);
  };
  // The browser takes it away whenever the page is hidden.
  document.addEventListener("visibilitychange", request);
  request();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", request);
    void lock?.release();
  };
}

const kept = "serai-sound";
/** Whether what is new rings and shakes the phone: this phone's own choice. */
export const isLoud = (): boolean => localStorage.getItem(kept) !== "off";
export const setLoud = (on: boolean): void => localStorage.setItem(kept, on ? "on" : "off");

let audio: AudioContext | undefined;

/** Browsers let a page sound only after a tap: call it in one, such as the switch of whoever becomes available. */
export function allowSound(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume().catch(() => undefined);
  } catch {
    // Without sound the screen still shows it.
  }
}

/** The same at the next touch of the page, whatever it is: for a page that was loaded anew. */
export function allowSoundAtTouch(): () => void {
  addEventListener("pointerdown", allowSound, { once: true });
  return () => removeEventListener("pointerdown", allowSound);
}

/** Two short tones and a vibration, for an offer. */
export function ring(): void {
  if (!isLoud()) return;
  navigator.vibrate?.([200, 100, 200]);
  allowSound();
  if (!audio) return;
  for (const [index, pitch] of [880, 1175].entries()) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    const at = audio.currentTime + index * 0.22;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.001, at);
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.2);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.21);
  }
}
