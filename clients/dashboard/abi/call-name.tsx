import type { FirstCallItem } from '@tollfree/contract/decision-fields';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { shortHex } from '../parts/value.tsx';
import { useCallNamesOf } from './use-call-names.ts';

type CallNameProps = { readonly paymaster: PaymasterItem; readonly call: FirstCallItem };

/** Contract and method of a call by name, and how many further calls there are. */
export function CallName({ paymaster, call }: CallNameProps) {
  const { target, selector, count } = call;
  const { contract, method } = useCallNamesOf(paymaster)(call);
  return (
    <>
      {contract ?? shortHex(target)} · {method ?? selector}
      {count === 1 ? null : <span className="muted"> and {count - 1} more</span>}
    </>
  );
}
