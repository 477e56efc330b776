import type { UserOperation } from '../../domain/user-operation.ts';
import { knownAccounts } from '../../evm/account-codes/known-accounts.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { findAccountDecoder } from '../../evm/account-decoders/find-decoder.ts';
import type { Identified } from '../identify/identify.ts';

/** The operation's calls, if they were decoded. */
export type WithCalls = { readonly calls?: readonly InnerCall[] };

/** Decoders of account kinds with modules. */
const modularDecoders = knownAccounts
  .filter(({ runsModules }) => runsModules === true)
  .flatMap(({ decoders }) => decoders.flatMap(({ name, version }) => findAccountDecoder(name, version) ?? []));

/**
 * Whether a sender's modules could profit from the gas of its calls, by setting and clearing storage, of which the chain
 * refunds a part to the bundler. Not with named bundlers, and not if the policy already allows any code or any call to use
 * that gas.
 */
export function bindsCallGas({ chain, profile: { policy } }: Identified): boolean {
  return chain.config.bundlers === undefined && policy.accounts !== 'ANY' && policy.sponsorAllCalls !== true;
}

/**
 * The calls to measure without the account's code, together with the estimate. Undefined if no account with modules decodes
 * them, or the sender had none at its last read. If it has modules by now, the calls are measured separately.
 */
export function callsToMeasure(
  request: Identified & WithCalls,
  operation: UserOperation,
): readonly InnerCall[] | undefined {
  const { calls = [], chain } = request;
  if (calls.length === 0 || !bindsCallGas(request)) return undefined;
  if (chain.accountReader.hadNoModules(operation.sender)) return undefined;
  const isModular = modularDecoders.some(
    (decoder) => decoder.decode(operation.callData, operation.entryPointVersion).understood,
  );
  return isModular ? calls : undefined;
}
