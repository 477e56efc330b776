import { mergeContexts } from './merge-contexts.ts';
import type { PaymasterContext } from './sponsorship-context.ts';

/** The contexts of created paymasters: `sponsorOrPay` builds its own, which must include them. */
const contexts = new WeakMap<object, PaymasterContext>();

/** Records the context of a paymaster. */
export function rememberContext(paymaster: object, context: PaymasterContext | undefined): void {
  if (context !== undefined) contexts.set(paymaster, context);
}

/** The default context of a bundler client's operations: that of its paymaster, merged with its own. */
export function contextOfClient(bundlerClient: object): PaymasterContext | undefined {
  const paymaster = 'paymaster' in bundlerClient ? bundlerClient.paymaster : undefined;
  const ofPaymaster = typeof paymaster === 'object' && paymaster !== null ? contexts.get(paymaster) : undefined;
  return mergeContexts(ofPaymaster, 'paymasterContext' in bundlerClient ? bundlerClient.paymasterContext : undefined);
}
