import type { ReactNode } from 'react';

/** Something that has to be known. */
export function Notice({ kind = 'info', children }: { kind?: 'info' | 'good' | 'warn' | 'bad'; children: ReactNode }) {
  return <div className={`notice ${kind}`}>{children}</div>;
}
