// The bar at the top: name, the two pages, the server, and the looks.
import { online, status } from "../state/connection";
import { sounds, theme, view, type ThemeChoice } from "../state/settings";
import { Icon, type IconName } from "./Icon";

const THEMES: Record<ThemeChoice, { next: ThemeChoice; icon: IconName; name: string }> = {
  system: { next: "light", icon: "system", name: "as the system" },
  light: { next: "dark", icon: "sun", name: "light" },
  dark: { next: "system", icon: "moon", name: "dark" },
};

function Connection() {
  if (online.value === false) return <span class="connection lost" role="status">Server away, reconnecting…</span>;
  return <span class="connection faint" role="status">{status.value ? `SOLIS ${status.value.version}` : "Connecting…"}</span>;
}

export function Header() {
  const looks = THEMES[theme.value];
  const watching = view.value === "watch";
  return (
    <header class="top">
      <h1>
        <svg class="logo" viewBox="0 0 24 24" aria-hidden="true">
          <circle class="sun-half" cx="12" cy="12" r="9" />
          <path class="shade-half" d="M12 3a9 9 0 0 0 0 18Z" />
        </svg>
        SOLIS
      </h1>
      <nav aria-label="Pages">
        <button type="button" aria-current={watching ? undefined : "page"} onClick={() => watching && (view.value = "play")}>Studio</button>
        <button type="button" aria-current={watching ? "page" : undefined} onClick={() => (view.value = "watch")}>Watch</button>
      </nav>
      <span class="space" />
      <Connection />
      <button type="button" class="icon" aria-label={sounds.value ? "Sounds are on" : "Sounds are off"} title="Sounds" aria-pressed={sounds.value} onClick={() => (sounds.value = !sounds.peek())}>
        <Icon name={sounds.value ? "sound" : "silent"} />
      </button>
      <button type="button" class="icon" aria-label={`Colours: ${looks.name}`} title={`Colours: ${looks.name}`} onClick={() => (theme.value = looks.next)}>
        <Icon name={looks.icon} />
      </button>
    </header>
  );
}
