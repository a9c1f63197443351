// Moves by keyboard: typed as in a score sheet.
import { useSignal } from "@preact/signals";
import { playText } from "../state/game";
import { movable, moveByHand } from "../state/opponent";
import { situation, turn } from "../state/game";

export function MoveInput() {
  const text = useSignal("");
  const submit = async (event: Event) => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === "" || !movable.peek().includes(turn.peek())) return;
    const plain = typed.replace(/[+#!?]+$/, "");
    const known = situation.peek().moves.find((move) => move.san.replace(/[+#]$/, "") === plain || move.uci === typed);
    if (known) moveByHand(known.uci);
    if (known || (await playText(typed))) text.value = "";
  };
  return (
    <form class="move-input" onSubmit={(event) => void submit(event)}>
      <input
        type="text"
        aria-label="Type a move, for example Nf3"
        placeholder="Type a move: Nf3"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
    </form>
  );
}
