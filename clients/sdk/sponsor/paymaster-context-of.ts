import { mergeContexts } from './merge-contexts.ts';
import type { PaymasterContext } from './sponsorship-context.ts';

/** The contexts that paymasters were made with: `sponsorOrPay` makes its own, and nothing of them may be lost. */
const contexts = new WeakMap<object, PaymasterContext>();

/** Remembers the context of a paymaster. */
export function rememberContext(paymaster: object, context: PaymasterContext | undefined): void {
  if (context !== undefined) contexts.set(paymaster, context);
}

/** The context that operations of a bundler client have by themselves: that of its paymaster, and its own on top. */
export function contextOfClient(bundlerClient: object): PaymasterContext | undefined {
  const paymaster = 'paymaster' in bundlerClient ? bundlerClient.paymaster : undefined;
  const ofPaymaster = typeof paymaster === 'object' && paymaster !== null ? contexts.get(paymaster) : undefined;
  return mergeContexts(ofPaymaster, 'paymasterContext' in bundlerClient ? bundlerClient.paymasterContext : undefined);
}
