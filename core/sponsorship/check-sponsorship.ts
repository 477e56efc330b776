import type { Address } from 'viem';
import type { ChainView } from '../chain/chain-watcher.ts';
import { accept, type Result } from '../domain/result.ts';
import type { SponsorshipContext } from '../domain/sponsorship.ts';
import { checkGasPrice } from './check-caps.ts';
import { checkPoliciesSet, checkWhitelist } from './check-whitelist.ts';
import { type AccountKind, decodeInnerCalls } from './decode-inner-calls.ts';
import type { Identified } from './identify.ts';
import { readLifetime } from './read-context.ts';
import type { ReadOperation } from './read-user-operation.ts';
import { checkSponsors, findFundingWallet } from './sponsor-grant.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';
import { viewChain } from './view-chain.ts';

/** What the grant of a permitted sponsorship is made of. */
export type Permitted = { readonly lifetimeSeconds: number; readonly view: ChainView; readonly fundingWallet: Address };

/**
 * Everything in mode `SPONSORED` that is decided without asking anybody: lifetime, calls, whitelist, gas price.
 *
 * @param account What the caller says the sender is; undefined to find it out from the calls.
 */
export function checkSponsorship(
  parts: SponsorshipParts,
  identified: Identified,
  { operation }: ReadOperation,
  context: SponsorshipContext,
  account: AccountKind | undefined,
): Result<Permitted> {
  const { profile, chain } = identified;
  const sponsors = checkSponsors(identified);
  if (!sponsors.ok) return sponsors;
  const lifetime = readLifetime(context.expiryDuration, parts.validity);
  if (!lifetime.ok) return lifetime;
  const policies = checkPoliciesSet(profile);
  if (!policies.ok) return policies;
  const calls = decodeInnerCalls(operation, account);
  if (!calls.ok) return calls;
  const whitelisted = checkWhitelist(profile, calls.value);
  if (!whitelisted.ok) return whitelisted;
  const priced = checkGasPrice(operation, chain.config);
  if (!priced.ok) return priced;
  const wallet = findFundingWallet(profile);
  if (!wallet.ok) return wallet;
  const view = viewChain(chain);
  if (!view.ok) return view;
  return accept({ lifetimeSeconds: lifetime.value, view: view.value, fundingWallet: wallet.value });
}
