import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { networkOf } from './text/chain-name.ts';

/** A state in a word. */
export function Badge({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'accent' | 'good' | 'warn' | 'bad';
  children: ReactNode;
}) {
  return <span className={`badge ${kind}`}>{children}</span>;
}

type ChipProps = {
  readonly children: ReactNode;
  readonly isOn: boolean;
  readonly onPress: () => void;
  /** It goes when it is pressed: a filter that holds a value. */
  readonly isRemovable?: boolean;
};

/** A filter that is on or off. */
export function Chip({ children, isOn, onPress, isRemovable = false }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onPress}>
      {children}
      {isRemovable ? <Icon name="close" /> : null}
    </button>
  );
}

/** A filled dot for a main network, a ring for one for tests. */
export function NetworkDot({ chainId }: { readonly chainId: number }) {
  const network = networkOf(chainId);
  return <span className={`network ${network}`} title={network === 'test' ? 'Test network' : 'Main network'} />;
}
