// A name for this tab that survives a reload.

function make(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function read(): string {
  try {
    const known = sessionStorage.getItem("solis.tab");
    if (known) return known;
    const fresh = make();
    sessionStorage.setItem("solis.tab", fresh);
    return fresh;
  } catch {
    return make();
  }
}

export const tabId = read();
