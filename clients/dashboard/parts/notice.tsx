import type { ReactNode } from 'react';

/** A highlighted message. */
export function Notice({ kind = 'info', children }: { kind?: 'info' | 'good' | 'warn' | 'bad'; children: ReactNode }) {
  return <div className={`notice ${kind}`}>{children}</div>;
}
