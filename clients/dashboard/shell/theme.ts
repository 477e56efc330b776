/** The theme: the system's, or always light or dark. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'tollfree-theme';

/** Kept in the browser's storage, like the chosen network (`use-network.ts`) and nothing else. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system'; // a browser may deny access to its storage
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    // It applies until the page is left.
  }
}
