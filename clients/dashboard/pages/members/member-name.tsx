import type { MemberItem } from '@tollfree/contract/access/member';
import { Short } from '../../parts/value.tsx';

/** A member's name with its wallet, since anyone may take any name. */
export function MemberName({ member: { name, wallet } }: { readonly member: Pick<MemberItem, 'name' | 'wallet'> }) {
  return name === undefined ? (
    <Short hex={wallet} />
  ) : (
    <>
      <strong>{name}</strong>{' '}
      <span className="muted">
        <Short hex={wallet} />
      </span>
    </>
  );
}
