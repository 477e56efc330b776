import { useState } from 'react';
import { Segments } from '../parts/segments.tsx';
import { applyTheme, readTheme, storeTheme, type Theme, themes } from './theme.ts';

const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Chooses light or dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
    storeTheme(next);
  };
  const options = themes.map((value) => ({ value, text: words[value] }));
  return <Segments label="Theme" value={theme} options={options} onChange={choose} />;
}
