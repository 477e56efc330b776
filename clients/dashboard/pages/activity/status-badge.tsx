import { Badge } from '../../parts/badge.tsx';
import type { OperationStatus } from './fold-operations.ts';

/** The states as people say them. */
export const statusLabels: Readonly<Record<OperationStatus, string>> = {
  estimated: 'Estimated',
  sponsored: 'Sponsored',
  included: 'Included',
  failed: 'Failed',
  expired: 'Expired',
  refused: 'Refused',
};

const kinds = {
  estimated: 'info',
  sponsored: 'accent',
  included: 'good',
  failed: 'warn',
  expired: 'info',
  refused: 'bad',
} as const;

/** How far an operation came, in a word. */
export function StatusBadge({ status }: { readonly status: OperationStatus }) {
  return <Badge kind={kinds[status]}>{statusLabels[status]}</Badge>;
}
