import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { sessionQuery } from '../api/session.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Loading } from '../parts/loading.tsx';
import { Sidebar } from './sidebar.tsx';
import { WhatYouMay } from './what-you-may.tsx';

const SignInPage = lazy(async () => ({ default: (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage }));

/** Who is not signed in is asked to, whatever the page; afterwards it is there. */
export function Root() {
  const session = useQuery(sessionQuery);
  return (
    <Loaded query={session}>
      {(known) =>
        known === null ? (
          <Suspense fallback={<Loading />}>
            <SignInPage />
          </Suspense>
        ) : (
          <Shell />
        )
      }
    </Loaded>
  );
}

function Shell() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  // Another page is read from its beginning, with the keyboard and by screen readers too.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    main.current?.focus();
  }, [pathname]);
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="shell">
        <Sidebar />
        <main id="content" ref={main} tabIndex={-1}>
          <Suspense fallback={<Loading />}>
            <WhatYouMay />
            <Outlet />
          </Suspense>
        </main>
      </div>
    </>
  );
}
