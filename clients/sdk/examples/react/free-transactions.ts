import { createSponsorClient } from '@tollfree/sdk';
import { type UseFreeThenPaidOptions, useFreeThenPaid } from '@tollfree/sdk/react';
import { createElement as element, type ReactElement, useMemo } from 'react';
import { createRoot } from 'react-dom/client';

/**
 * What a page gets from its backend: the paymaster's endpoint, the signed-in user's ticket, and the token to pay with when
 * nothing is free any more.
 */
type Settings = Pick<UseFreeThenPaidOptions, 'payIn'> & { readonly paymasterUrl: string; readonly ticket: string };

/** Shows how many free transactions the user has left, and their price afterwards. */
function FreeTransactions({ paymasterUrl, ticket, payIn }: Settings): ReactElement {
  const client = useMemo(() => createSponsorClient({ url: paymasterUrl }), [paymasterUrl]);
  const { allowance, cost, text, error, isLoading, refresh } = useFreeThenPaid(client, { ticket, payIn });
  return element(
    'section',
    { 'aria-busy': isLoading },
    element('p', { role: 'status' }, cost === undefined ? textOf(allowance?.operationsLeft, error) : text),
    element('button', { type: 'button', onClick: () => void refresh() }, 'Ask again'),
  );
}

function textOf(left: number | undefined, error: unknown): string {
  if (error !== undefined) return error instanceof Error ? error.message : 'The service cannot be reached.';
  if (left === undefined) return 'Transactions are free.';
  return left === 1 ? '1 free transaction left' : `${left} free transactions left`;
}

/** Shows it in an element of the page. */
export function showFreeTransactions(into: Element, settings: Settings): void {
  createRoot(into).render(element(FreeTransactions, settings));
}
