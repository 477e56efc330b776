import type { UserOperation } from '../../domain/user-operation.ts';
import { knownAccounts } from '../../evm/account-codes/known-accounts.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import { findAccountDecoder } from '../../evm/account-decoders/find-decoder.ts';
import type { Identified } from '../identify/identify.ts';

/** The operation's calls, where they were decoded. */
export type WithCalls = { readonly calls?: readonly InnerCall[] };

/** Decoders of accounts that run contracts of the owner's choice. */
const modularDecoders = knownAccounts
  .filter(({ runsModules }) => runsModules === true)
  .flatMap(({ decoders }) => decoders.flatMap(({ name, version }) => findAccountDecoder(name, version) ?? []));

/**
 * Whether modules of a sender could gain by the gas of its calls: they set and clear storage, and the chain returns a part of that gas
 * to the bundler. Not with named bundlers, and not where the policy lets any code or any call use that gas anyway.
 */
export function bindsCallGas({ chain, profile: { policy } }: Identified): boolean {
  return chain.config.bundlers === undefined && policy.accounts !== 'ANY' && policy.sponsorAllCalls !== true;
}

/**
 * The calls to measure without the account's code, next to the estimate; undefined where no account with modules reads them, or the
 * sender was none when it was read last. One that has become one since has them measured by themselves.
 */
export function callsToMeasure(
  request: Identified & WithCalls & { readonly operation: UserOperation },
): readonly InnerCall[] | undefined {
  const { calls = [], chain, operation } = request;
  if (calls.length === 0 || !bindsCallGas(request)) return undefined;
  if (chain.accountReader.hadNoModules(operation.sender)) return undefined;
  const isModular = modularDecoders.some(
    (decoder) => decoder.decode(operation.callData, operation.entryPointVersion).understood,
  );
  return isModular ? calls : undefined;
}
