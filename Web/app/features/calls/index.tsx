import type { Component } from "preact";
import { render, useEffect, useRef, useState } from "preact";
import { useCell } from "../../../shared/cell";
import { clock } from "../../../shared/format";
import { language } from "../../../shared/language";
import { Avatar, Button, Note, Sheet } from "../../../shared/ui";
import { answer, close, decline, hangUp, mute, shown, Shown } from "./calling";
import { words } from "./words";

export { begin, heard, lookForCalls } from "./calling";

/** The time since the call was taken. */
const Lasts: Component<{ since: number }> = ({ since }) => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span role="timer">{clock(Math.max(0, Math.round((now - since) / 1000)))}</span>;
};

/** The other one's voice. */
const Heard: Component<{ voice: MediaStream | undefined }> = ({ voice }) => {
  const element = useRef<HTMLAudioElement | null>(null);
  useEffect(() => {
    const audio = element.current;
    if (!audio) return;
    audio.srcObject = voice ?? null;
    if (voice) void audio.play().catch(() => undefined);
  }, [voice]);
  return <audio ref={element} autoplay />;
};

function stateOf(call: Shown): string | undefined {
  if (call.state === "asking") return words.asking;
  if (call.state === "calling") return words.rings;
  if (call.state === "connecting") return words.connecting;
  return call.state === "talking" && call.way === "weak" ? words.weak : undefined;
}

/** A call over whatever is open. */
const CallScreen: Component<{ call: Shown }> = ({ call }) => {
  const rings = call.state === "rings";
  const isOver = call.state === "over";
  const state = stateOf(call);
  return (
    <Sheet title={rings ? words.calls(call.name) : words.title(call.name)} onClose={isOver ? close : () => undefined} locked={!isOver} full>
      <div class="calling">
        <Avatar name={call.name} />
        <p class="display"><bdi>{call.name}</bdi></p>
        <p role="status" class="muted">{isOver ? call.says : state}</p>
        {call.state === "talking" && call.since !== undefined && <p class="display"><Lasts since={call.since} /></p>}
        {call.isMuted && !isOver && <p class="muted">{words.muted}</p>}
        {rings && call.says && <Note tone="warning" live>{call.says}</Note>}
        <p class="hint">{words.noNumbers}</p>
        <div class="actions calling-acts">
          {rings && <Button icon="phone" onTap={() => void answer()}>{words.answer}</Button>}
          {rings && <Button kind="danger" icon="close" onTap={() => void decline()}>{words.decline}</Button>}
          {call.voice && !rings && !isOver && (
            <Button kind="second" icon="microphone" onTap={() => mute(!call.isMuted)}>{call.isMuted ? words.unmute : words.mute}</Button>
          )}
          {!rings && !isOver && <Button kind="danger" icon="close" onTap={() => void hangUp()}>{words.hangUp}</Button>}
          {isOver && <Button kind="second" onTap={close}>{words.close}</Button>}
        </div>
      </div>
      <Heard voice={call.voice} />
    </Sheet>
  );
};

const Calls: Component = () => {
  const tongue = useCell(language);
  const call = useCell(shown);
  return call ? <CallScreen key={tongue} call={call} /> : null;
};

// Beside the app, so that what is fetched at its start is no larger.
const root = document.createElement("div");
document.body.append(root);
render(<Calls />, root);
