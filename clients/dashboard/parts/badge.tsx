import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { networkOf } from './text/chain-name.ts';

/** A state as a short label. */
export function Badge({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'accent' | 'good' | 'warn' | 'bad';
  children: ReactNode;
}) {
  return <span className={`badge ${kind}`}>{children}</span>;
}

type CountProps = {
  readonly kind: 'warn' | 'bad';
  readonly count: number;
  /** What is counted, read out after the number: “needs attention”. */
  readonly what: string;
};

/** A number after a link of the menu; nothing for none. */
export function Count({ kind, count, what }: CountProps) {
  if (count === 0) return null;
  return (
    <span className={`count ${kind}`} title={`${count} ${what}`}>
      {count}
      <span className="only-read"> {what}</span>
    </span>
  );
}

type ChipProps = {
  readonly children: ReactNode;
  readonly isOn: boolean;
  readonly onPress: () => void;
  /** Removed when pressed: a filter with a value. */
  readonly isRemovable?: boolean;
};

/** A filter that can be toggled. */
export function Chip({ children, isOn, onPress, isRemovable = false }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onPress}>
      {children}
      {isRemovable ? <Icon name="close" /> : null}
    </button>
  );
}

/** A filled dot for a main network, a ring for a test network. */
export function NetworkDot({ chainId }: { readonly chainId: number }) {
  const network = networkOf(chainId);
  return <span className={`network ${network}`} title={network === 'test' ? 'Test network' : 'Main network'} />;
}
