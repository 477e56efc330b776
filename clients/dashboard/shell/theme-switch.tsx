import { useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { applyTheme, readTheme, storeTheme, type Theme, themes } from './theme.ts';

const words: Readonly<Record<Theme, string>> = { system: 'System theme', light: 'Light', dark: 'Dark' };

/** Chooses light or dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
    storeTheme(next);
  };
  const options = themes.map((value) => ({ value, text: words[value] }));
  return <Choice label="Appearance" value={theme} options={options} onChange={choose} />;
}
