import { type OperationStatus, operationStatusTexts } from '@tollfree/contract/operation-status';
import { Badge } from '../../parts/badge.tsx';

const kinds = {
  refused: 'bad',
  quoted: 'info',
  signed: 'accent',
  sent: 'accent',
  included: 'good',
  failed: 'warn',
  dropped: 'warn',
  replaced: 'info',
  expired: 'info',
  released: 'info',
} as const;

/** An operation's status as a badge. */
export function StatusBadge({ status }: { readonly status: OperationStatus }) {
  return <Badge kind={kinds[status]}>{operationStatusTexts[status].label}</Badge>;
}
