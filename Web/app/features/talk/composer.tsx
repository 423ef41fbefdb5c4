import type { Component } from "preact";
import { useRef } from "preact";
import { api } from "../../../shared/api/client";
import { scaledPhoto } from "../../../shared/device/photo";
import { useKept } from "../../../shared/kept";
import { Icon, IconButton, toast } from "../../../shared/ui";
import { useRecording } from "./recording";
import type { Outgoing } from "./sending";
import { words } from "./words";

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Where one writes, takes a photo and speaks. */
export const Composer: Component<{ conversation: string; onSend: (what: Omit<Outgoing, "id">) => void }> = ({ conversation, onSend }) => {
  const [kept, setText] = useKept<string>(`talk-${conversation}`);
  const text = kept ?? "";
  const told = useRef(0);
  const recording = useRecording(
    (file, seconds) => onSend({ kind: "voice", file, seconds }), () => toast(words.noMicrophone));
  const type = (value: string): void => {
    setText(value || undefined);
    // The other one sees it for some seconds.
    if (!value || Date.now() - told.current < 4000) return;
    told.current = Date.now();
    api.put("/notifications/v1/conversations/{id}/typing", { id: conversation }, undefined as never).catch(() => undefined);
  };
  const send = (): void => {
    if (!text.trim()) return;
    onSend({ kind: "text", text: text.trim() });
    setText(undefined);
  };
  const choose = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (file) onSend({ kind: "photo", file: await scaledPhoto(file) });
  };
  if (recording.seconds !== undefined) {
    return (
      <div class="composer" role="group" aria-label={words.record}>
        <IconButton icon="trash" label={words.cancel} onTap={recording.cancel} />
        <span class="composer-text" role="status">{words.recording(clock(recording.seconds))}</span>
        <IconButton icon="stop" label={words.stop} onTap={recording.stop} />
      </div>
    );
  }
  return (
    <form class="composer" onSubmit={(event) => { event.preventDefault(); send(); }}>
      <label class="icon-button" title={words.photo}>
        <Icon name="camera" /><span class="hidden">{words.photo}</span>
        <input type="file" class="hidden" accept="image/*" onChange={(event) => void choose(event)} />
      </label>
      <textarea class="composer-text" rows={1} dir="auto" maxLength={2000} aria-label={words.write} placeholder={words.write} value={text}
        onInput={(event) => type((event.target as HTMLTextAreaElement).value)}
        onKeyDown={(event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); } }} />
      {text.trim() || !recording.can
        ? <button type="submit" class="icon-button" aria-label={words.send} title={words.send}><Icon name="send" mirrored /></button>
        : <IconButton icon="microphone" label={words.record} onTap={recording.start} />}
    </form>
  );
};
