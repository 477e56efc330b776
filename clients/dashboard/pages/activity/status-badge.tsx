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

/** How far an operation came, in a word. */
export function StatusBadge({ status }: { readonly status: OperationStatus }) {
  return <Badge kind={kinds[status]}>{operationStatusTexts[status].label}</Badge>;
}
