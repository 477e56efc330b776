import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { bodyOf } from '../api/body-of.ts';
import { changeSession } from '../api/change-session.ts';
import { routes } from '../api/routes.ts';
import { sessionQuery } from '../api/session.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { Segments } from '../parts/segments.tsx';
import { Short } from '../parts/short.tsx';
import { applyTheme, readTheme, storeTheme, type Theme, themes } from './theme.ts';

const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' };

/** Selects the light or dark theme. */
function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
    storeTheme(next);
  };
  const options = themes.map((value) => ({ value, text: words[value] }));
  return <Segments label="Theme" value={theme} options={options} onChange={choose} />;
}

/** The signed-in user, the theme, and the sign-out button. */
export function AccountMenu() {
  const id = useId();
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const signOut = useMutation({
    mutationFn: () => bodyOf(routes.session.delete({ headers: {} })),
    onSuccess: () => changeSession(client, null),
  });
  return (
    <div className="side-foot">
      <button type="button" className="switcher plain" popoverTarget={id} aria-label="Your account">
        <Icon name="account" />
        <span className="switcher-text">
          <span>{session?.name}</span>
          <span className="small muted">
            {session?.wallet === undefined ? 'Signed in with an authToken' : <Short hex={session.wallet} />}
            {session?.role === undefined ? '' : `, ${session.role}`}
          </span>
        </span>
        <Icon name="choose" />
      </button>
      <div id={id} popover="auto" className="menu above">
        <p className="menu-title">Theme</p>
        <ThemeSwitch />
        <hr />
        <a href="/docs" className="menu-item">
          <Icon name="book" />
          Documentation
        </a>
        <button type="button" className="menu-item" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
          <Icon name="close" />
          Sign out
        </button>
        <Problem error={signOut.error} />
      </div>
    </div>
  );
}
