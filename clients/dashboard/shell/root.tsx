import { IsRestoringProvider, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import type { Session } from '@tollfree/contract/sign-in/session';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { accountsQuery, paymastersQuery } from '../api/of-account.ts';
import { isSameUser, sessionQuery } from '../api/session.ts';
import { useGoToAccount } from '../pages/members/use-go-to-account.ts';
import { Button } from '../parts/button.tsx';
import { Loaded, Loading, Splash } from '../parts/loaded.tsx';
import { OfflineLine } from '../parts/offline.tsx';
import { Notice, Problem } from '../parts/problem.tsx';
import { Toasts } from '../parts/toast.tsx';
import { AskBeforeLeaving } from '../parts/unsaved.tsx';
import { keepFocus } from './keep-focus.ts';
import { Sidebar } from './sidebar.tsx';

const SignInPage = lazy(async () => ({ default: (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage }));
const CommandMenu = lazy(async () => ({ default: (await import('./command/command-menu.tsx')).CommandMenu }));

/**
 * Asks for sign-in on any page; afterwards shows that page. When a session ends by itself, the page stays with what was typed
 * into it, hidden until the same user signs in again.
 */
export function Root() {
  const session = useQuery(sessionQuery);
  const [shown, setShown] = useState<Session>();
  const { data: known } = session;
  if (known && !isSameUser(known, shown)) setShown(known);
  if (session.isPending) return <Splash />;
  return (
    <Loaded query={session}>
      {(current) => (
        <>
          {current === null ? (
            <Suspense fallback={<Splash />}>
              <SignInPage ended={shown} />
            </Suspense>
          ) : null}
          {shown === undefined ? null : (
            // Nothing is read for it meanwhile: each answer would be a failed login.
            <IsRestoringProvider value={current === null}>
              <div hidden={current === null}>
                <OncePaymastersAreKnown>
                  <Shell key={`${shown.accountId} ${shown.wallet ?? shown.authTokenId}`} />
                </OncePaymastersAreKnown>
              </div>
            </IsRestoringProvider>
          )}
        </>
      )}
    </Loaded>
  );
}

/** The menu depends on the paymasters: drawn before they are read, its pages would move. They are asked for with the session. */
function OncePaymastersAreKnown({ children }: { readonly children: ReactNode }) {
  const { isLoading } = useQuery(paymastersQuery);
  return isLoading ? <Splash /> : children;
}

function Shell() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  const [isFinding, setFinding] = useState(false);
  // A new page starts at the top, also for keyboard and screen readers.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus();
  }, [pathname]);
  useEffect(() => (main.current === null ? undefined : keepFocus(main.current)), []);
  useEffect(() => {
    const find = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setFinding(true);
    };
    window.addEventListener('keydown', find);
    return () => window.removeEventListener('keydown', find);
  }, []);
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="shell">
        <Sidebar onFind={() => setFinding(true)} />
        <main id="content" ref={main} tabIndex={-1}>
          <OfflineLine />
          <Suspense fallback={<Loading />}>
            <Invitations />
            <WhatYouMay />
            <AskBeforeLeaving>
              <Outlet />
            </AskBeforeLeaving>
          </Suspense>
        </main>
      </div>
      <Suspense>{isFinding ? <CommandMenu onClose={() => setFinding(false)} /> : null}</Suspense>
      <Toasts />
    </>
  );
}

/** A banner with the accounts that have invited the wallet, until it joins them. */
function Invitations() {
  const { data: accounts = [] } = useQuery(accountsQuery);
  const { data: session } = useQuery(sessionQuery);
  const join = useGoToAccount();
  const invitations = accounts.filter(({ joinedAt }) => joinedAt === undefined);
  if (invitations.length === 0) return null;
  return (
    <div className="page">
      {invitations.map(({ accountId, name, role }) => (
        <div key={accountId} className="notice banner">
          <p>
            <strong>{name}</strong> invites you as {role}. You now see {session?.name ?? 'another account'}.
          </p>
          <Button
            kind="primary"
            label={`Join ${name}`}
            isPending={join.isPending}
            onPress={() => join.mutate(accountId)}
          >
            Join
          </Button>
        </div>
      ))}
      <Problem error={join.error} />
    </div>
  );
}

/** A banner for read-only users: that they cannot change anything, and who can help. */
function WhatYouMay() {
  const { data: session } = useQuery(sessionQuery);
  if (!session || session.scopes.includes('manage')) return null;
  return (
    <div className="page">
      <Notice>
        {session.role === undefined ? (
          'Your authToken is read-only.'
        ) : (
          <>
            You are a viewer of this account: you can read everything but change nothing. An owner among its{' '}
            <Link to="/members">members</Link> can give you another role.
          </>
        )}
      </Notice>
    </div>
  );
}
