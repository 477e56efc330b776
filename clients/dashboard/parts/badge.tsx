import type { ReactNode } from 'react';

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
