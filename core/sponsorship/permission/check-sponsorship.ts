import type { Address } from 'viem';
import { noteResult } from '../../decisions/decision-draft.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import type { InnerCall } from '../../evm/account-decoders/decoder.ts';
import type { ChainView } from '../../node/chain-watcher.ts';
import { ruleOnCalls } from '../../policies/rules/rule-on-calls.ts';
import { checkSponsors, findFundingWallet } from '../grant/sponsor-grant.ts';
import { type AccountKind, decodeInnerCalls } from '../request/decode-inner-calls.ts';
import type { Identified } from '../request/identify.ts';
import { readLifetime } from '../request/read-context.ts';
import type { ReadOperation } from '../request/read-user-operation.ts';
import { viewChain } from '../request/view-chain.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';
import { checkGasPrice } from './check-caps.ts';
import { follow, followPolicy } from './follow-policy.ts';

/** What the grant of a permitted sponsorship is made of. */
export type Permitted = { readonly lifetimeSeconds: number; readonly view: ChainView; readonly fundingWallet: Address };

/**
 * Everything in mode `SPONSORED` that is decided without asking anybody: lifetime, calls, policy, gas price.
 *
 * @param account What the caller says the sender is; undefined to find it out from the calls.
 */
export function checkSponsorship(
  run: SponsorshipRun,
  identified: Identified,
  { operation }: ReadOperation,
  context: SponsorshipContext,
  account: AccountKind | undefined,
): Result<Permitted> {
  const { profile, chain } = identified;
  const { draft } = run;
  draft.mode = 'SPONSORED';
  const sponsors = noteResult(draft, { rule: 'mode', checked: 'mode SPONSORED' }, checkSponsors(identified));
  if (!sponsors.ok) return sponsors;
  const lifetime = readLifetime(context.expiryDuration, run.validity);
  if (!lifetime.ok) return noteResult(draft, { rule: 'lifetime', checked: 'expiryDuration' }, lifetime);
  const calls = readCalls(run, identified, operation, account);
  if (!calls.ok) return calls;
  const permitted = followPolicy(run, profile, operation);
  if (!permitted.ok) return permitted;
  const priced = noteResult(
    draft,
    { rule: 'operator-gas-price', checked: `maxFeePerGas ${operation.maxFeePerGas} wei` },
    checkGasPrice(operation, chain.config),
  );
  if (!priced.ok) return priced;
  const wallet = noteResult(draft, { rule: 'funding-wallet', checked: 'whose tank pays' }, findFundingWallet(profile));
  if (!wallet.ok) return wallet;
  const view = noteResult(
    draft,
    { rule: 'chain', checked: `the state of chain ${chain.config.chainId}` },
    viewChain(chain),
  );
  if (!view.ok) return view;
  return accept({ lifetimeSeconds: lifetime.value, view: view.value, fundingWallet: wallet.value });
}

/** Decodes the operation's calls and looks whether all of them are sponsored. */
function readCalls(
  { draft }: SponsorshipRun,
  { profile }: Identified,
  operation: UserOperation,
  account: AccountKind | undefined,
): Result<readonly InnerCall[]> {
  const deploysOnly = operation.callData === '0x' && operation.initCode !== '0x';
  const decoded = deploysOnly ? accept([]) : decodeInnerCalls(operation, account);
  if (!decoded.ok) {
    // Clients pay for themselves when nothing at all is sponsored here, whatever the account.
    const nothing = ruleOnCalls(profile, { calls: [], deploysOnly: false });
    if (nothing.refusal !== undefined) return follow(draft, [nothing], []);
  }
  noteResult(draft, { rule: 'decode', checked: `${operation.callData.length / 2 - 1} bytes of callData` }, decoded);
  if (!decoded.ok) return decoded;
  draft.calls = decoded.value.map(({ target, selector }) => ({
    target,
    ...(selector === undefined ? {} : { selector }),
  }));
  draft.deploysOnly = deploysOnly;
  return follow(draft, [ruleOnCalls(profile, { calls: decoded.value, deploysOnly })], decoded.value);
}
