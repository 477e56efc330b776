import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { isShown, pageGroups } from './paymaster-pages.ts';
import { Switcher } from './switcher.tsx';
import { useCurrentPaymaster } from './use-current-paymaster.ts';

/** The navigation, the signed-in user, and the sign-out button. Collapses on a phone. */
export function Sidebar({ onFind }: { readonly onFind: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  const paymaster = useCurrentPaymaster();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page folds the menu
  useEffect(() => setOpen(false), [pathname]);
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
          <span>Find</span>
          <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <nav aria-label="Pages">
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
          </li>
        ))}
      </ul>
    </div>
  );
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
