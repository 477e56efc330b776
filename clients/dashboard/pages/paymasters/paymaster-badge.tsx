import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { Badge } from '../../parts/badge.tsx';

export function PaymasterBadge({ paymaster: { pausedAt, retiredAt } }: { readonly paymaster: PaymasterItem }) {
  if (retiredAt !== undefined) return <Badge>Retired</Badge>;
  return pausedAt === undefined ? <Badge kind="good">Active</Badge> : <Badge kind="warn">Paused</Badge>;
}
