import { Badge } from '../../parts/badge.tsx';

/** Whether requests can choose a policy. */
export function OpenBadge({ isOpen }: { readonly isOpen: boolean }) {
  return isOpen ? <Badge kind="good">Open</Badge> : <Badge kind="warn">Closed</Badge>;
}
