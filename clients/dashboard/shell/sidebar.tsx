import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { paymastersQuery } from '../api/of-account.ts';
import { routes } from '../api/routes.ts';
import { beginAgain, sessionQuery } from '../api/session.ts';
import { NetworkDot } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { NetworkSwitch } from '../parts/network-switch.tsx';
import { Problem } from '../parts/problem.tsx';
import { Segments } from '../parts/segments.tsx';
import { chainLabel, networkOf, networkTitles } from '../parts/text/chain-name.ts';
import { useCurrentPaymaster, useNetworkOf } from '../parts/use-current-paymaster.ts';
import { Short } from '../parts/value.tsx';
import { isShown, pageGroups } from './paymaster-pages.ts';
import { applyTheme, readTheme, storeTheme, type Theme, themes } from './theme.ts';

// Counted once the page is there.
const counts = () => import('./attention-count.tsx');
const OverviewCount = lazy(async () => ({ default: (await counts()).OverviewCount }));
const PolicyCount = lazy(async () => ({ default: (await counts()).PolicyCount }));

/** Of the list's shadow where there is more, in pixels. */
const shadowHeight = 14;

/** The navigation, the signed-in user, and the sign-out button. Collapses on a phone. */
export function Sidebar({ onFind }: { readonly onFind: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const paymaster = useCurrentPaymaster();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page folds the menu
  useEffect(() => setOpen(false), [pathname]);
  const pages = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is the current one
  useEffect(() => {
    const bottom = pages.current?.querySelector('[aria-current="page"]')?.getBoundingClientRect().bottom ?? 0;
    // `scrollIntoView` would also make Tab go on from the link, past “Skip to the content”.
    const room = bottom + shadowHeight - (pages.current?.getBoundingClientRect().bottom ?? 0);
    pages.current?.scrollBy(0, Math.max(0, room));
  }, [pathname]);
  return (
    <header className="side" data-open={isOpen}>
      <div className="side-head">
        <Brand />
        <div className="menu-button">
          <Button isExpanded={isOpen} onPress={() => setOpen(!isOpen)}>
            <Icon name={isOpen ? 'close' : 'menu'} />
            Menu
          </Button>
        </div>
      </div>
      <div className="side-body">
        {paymaster === undefined ? null : <Switcher paymaster={paymaster} />}
        <button type="button" className="find" aria-keyshortcuts="Control+K Meta+K" onClick={onFind}>
          <Icon name="search" />
          <span>Find or do</span>
          <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <nav ref={pages} aria-label="Pages">
          {pageGroups.map((group) => (
            <Group key={group.title} group={group} paymaster={paymaster} />
          ))}
        </nav>
        <AccountMenu />
      </div>
    </header>
  );
}

type GroupProps = { readonly group: (typeof pageGroups)[number]; readonly paymaster: PaymasterItem | undefined };

function Group({ group: { title, pages }, paymaster }: GroupProps) {
  const { data: session } = useQuery(sessionQuery);
  const viewer = { hasPaymaster: paymaster !== undefined, isOperator: session?.operator === true };
  const shown = pages.filter(({ to }) => isShown(to, viewer));
  if (shown.length === 0) return null;
  return (
    <div>
      {title === '' ? null : <p className="nav-title">{title}</p>}
      <ul>
        {shown.map(({ to, text, icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ paymasterId: paymaster?.paymasterId ?? '' }}
              className="nav-link"
              activeOptions={{ exact: exactPages.has(to), includeSearch: false }}
            >
              <Icon name={icon} />
              {text}
            </Link>
            <Suspense>{countOf(to, paymaster)}</Suspense>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What needs attention on a page of the menu. */
function countOf(to: string, paymaster: PaymasterItem | undefined) {
  if (paymaster === undefined) return null;
  if (to === '/') return <OverviewCount />;
  return to === '/paymasters/$paymasterId/policy' ? <PolicyCount paymasterId={paymaster.paymasterId} /> : null;
}

/** Other pages match by the prefix of their path. */
const exactPages: ReadonlySet<string> = new Set(['/', '/paymasters', '/paymasters/$paymasterId']);

/** The product name, linked to the home page. */
function Brand() {
  return (
    <Link to="/" className="brand">
      <img src="/dashboard/icon.svg" alt="" />
      Tollfree
    </Link>
  );
}

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
function AccountMenu() {
  const id = useId();
  const { data: session } = useQuery(sessionQuery);
  const signOut = useMutation({
    mutationFn: () => routes.session.delete({ headers: {} }),
    onSuccess: beginAgain,
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

/** Shows the menu's paymaster, and switches to another one of the same network, or to the other network. */
function Switcher({ paymaster }: { readonly paymaster: PaymasterItem }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const { data = [] } = useQuery(paymastersQuery);
  const close = () => menu.current?.hidePopover();
  const network = useNetworkOf(paymaster);
  const some = data.filter(({ chainId }) => networkOf(chainId) === network);
  return (
    <>
      <button type="button" className="switcher" popoverTarget={id} aria-label={`Paymaster: ${paymaster.name}. Change`}>
        <NetworkDot chainId={paymaster.chainId} />
        <span className="switcher-text">
          <span>{paymaster.name}</span>
          <span className="small muted">{chainLabel(paymaster.chainId)}</span>
        </span>
        <Icon name="choose" />
      </button>
      <div ref={menu} id={id} popover="auto" className="menu">
        {some.length < data.length ? (
          <NetworkSwitch network={network} />
        ) : (
          <p className="menu-title">{networkTitles[network]}</p>
        )}
        <ul aria-label={networkTitles[network]}>
          {some.map((each) => (
            <li key={each.paymasterId}>
              <Link
                to="/paymasters/$paymasterId/activity"
                params={{ paymasterId: each.paymasterId }}
                className="menu-item"
                activeProps={{}}
                aria-current={each === paymaster ? 'true' : undefined}
                onClick={close}
              >
                <NetworkDot chainId={each.chainId} />
                <span className="switcher-text">
                  <span>{each.name}</span>
                  <span className="small muted">
                    {chainLabel(each.chainId)}
                    {each.retiredAt === undefined ? '' : ', retired'}
                    {each.pausedAt === undefined ? '' : ', paused'}
                  </span>
                </span>
                {each === paymaster ? <Icon name="check" /> : null}
              </Link>
            </li>
          ))}
        </ul>
        <hr />
        <Link to="/paymasters" className="menu-item" activeProps={{}} onClick={close}>
          <Icon name="plus" />
          New paymaster
        </Link>
      </div>
    </>
  );
}
