import type { ReactNode } from 'react';

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
