// Sounds of moves, made on the spot; silent unless a person has switched them on.
import { sounds } from "./settings";

let audio: AudioContext | null = null;

function knock(frequency: number, delay: number): void {
  audio ??= new AudioContext();
  const start = audio.currentTime + delay;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, start);
  tone.frequency.exponentialRampToValueAtTime(frequency / 2, start + 0.07);
  volume.gain.setValueAtTime(0.25, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + 0.1);
}

export function moveSound(san: string): void {
  if (!sounds.peek()) return;
  knock(san.includes("x") ? 260 : 420, 0);
  if (/[+#]/.test(san)) knock(620, 0.09);
}
