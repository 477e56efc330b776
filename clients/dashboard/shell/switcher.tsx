import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useId, useRef } from 'react';
import { paymastersQuery } from '../api/paymasters.ts';
import { Icon } from '../parts/icon.tsx';
import { NetworkDot } from '../parts/network-dot.tsx';
import { chainLabel, networkOf } from '../parts/text/chain-name.ts';

const titles = { main: 'Main networks', test: 'Test networks' } as const;

/** Shows the menu's paymaster, and switches to another one; main networks first. */
export function Switcher({ paymaster }: { readonly paymaster: PaymasterItem }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const { data = [] } = useQuery(paymastersQuery);
  const close = () => menu.current?.hidePopover();
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
        {(['main', 'test'] as const).map((network) => {
          const some = data.filter(({ chainId }) => networkOf(chainId) === network);
          return some.length === 0 ? null : (
            <div key={network}>
              <p className="menu-title">{titles[network]}</p>
              <ul>
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
            </div>
          );
        })}
        <hr />
        <Link to="/paymasters" className="menu-item" activeProps={{}} onClick={close}>
          <Icon name="plus" />
          New paymaster
        </Link>
      </div>
    </>
  );
}
