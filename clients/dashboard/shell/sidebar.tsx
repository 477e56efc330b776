import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { bodyOf } from '../api/body-of.ts';
import { changeSession } from '../api/change-session.ts';
import { paymastersQuery } from '../api/paymasters.ts';
import { routes } from '../api/routes.ts';
import { sessionQuery } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Short } from '../parts/short.tsx';
import { Brand } from './brand.tsx';
import { paymasterPages } from './paymaster-pages.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** Where one can go, who is signed in, and the way out. On a phone it folds away. */
export function Sidebar() {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page folds the menu
  useEffect(() => setOpen(false), [pathname]);
  return (
    <header className="side" data-open={isOpen}>
      <div className="side-head">
        <Brand />
        <div className="menu-button">
          <Button isExpanded={isOpen} onPress={() => setOpen(!isOpen)}>
            Menu
          </Button>
        </div>
      </div>
      <div className="side-body">
        <nav aria-label="Pages">
          <ul>
            <Entry to="/" text="Home" />
            <Entry to="/paymasters" text="Paymasters" />
            <Entry to="/account" text="Account" />
            <Entry to="/members" text="Members" />
            <Entry to="/audit-log" text="Audit log" />
          </ul>
          <PaymasterEntries />
        </nav>
        <Foot />
      </div>
    </header>
  );
}

type EntryProps = {
  readonly to: '/' | '/paymasters' | '/account' | '/members' | '/audit-log';
  readonly text: string;
};

function Entry({ to, text }: EntryProps) {
  return (
    <li>
      <Link to={to} className="nav-link" activeOptions={{ exact: true }}>
        {text}
      </Link>
    </li>
  );
}

function PaymasterEntries() {
  const { paymasterId } = useParams({ strict: false });
  const { data } = useQuery(paymastersQuery);
  const paymaster = data?.find((each) => each.paymasterId === paymasterId);
  if (paymaster === undefined) return null;
  return (
    <div>
      <p className="nav-title">{paymaster.name}</p>
      <ul>
        {paymasterPages.map(({ to, text, exact }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ paymasterId: paymaster.paymasterId }}
              className="nav-link"
              activeOptions={{ exact: exact ?? false }}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Foot() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const signOut = useMutation({
    mutationFn: () => bodyOf(routes.session.delete({ headers: {} })),
    onSuccess: () => changeSession(client, null),
  });
  return (
    <div className="side-foot">
      <a href="/docs" className="small">
        API reference
      </a>
      <ThemeSwitch />
      {session ? (
        <p className="who">
          Signed in as
          <strong>{session.name}</strong>
          {session.wallet === undefined ? null : <Short hex={session.wallet} />}
          {session.role === undefined ? '' : `, ${session.role}`}
        </p>
      ) : null}
      <Button isPending={signOut.isPending} onPress={() => signOut.mutate()}>
        Sign out
      </Button>
      <Problem error={signOut.error} />
    </div>
  );
}
