import { accept, type Result } from '../domain/result.ts';
import type { SignedPaymasterData, SponsorshipContext } from '../domain/sponsorship.ts';
import { askWebhooks } from './ask-webhooks.ts';
import { checkSponsorship } from './check-sponsorship.ts';
import type { AccountKind } from './decode-inner-calls.ts';
import { findGasLimits } from './find-gas-limits.ts';
import { guardGasLimits } from './guard-gas-limits.ts';
import { holdWorstCase } from './hold-worst-case.ts';
import type { Identified } from './identify.ts';
import { readContractState } from './read-contract-state.ts';
import type { ReadOperation } from './read-user-operation.ts';
import { signPaymasterData } from './sign-paymaster-data.ts';
import { sponsorGrant } from './sponsor-grant.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/**
 * Mode `SPONSORED`: the application pays. Every step in order; the first refusal is the answer.
 *
 * @param account What the caller says the sender is; undefined to find it out from the calls.
 */
export async function sponsorOperation(
  parts: SponsorshipParts,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
  account: AccountKind | undefined,
): Promise<Result<Omit<SignedPaymasterData, 'decisionId'>>> {
  const permitted = checkSponsorship(parts, identified, read, context, account);
  if (!permitted.ok) return permitted;
  const agreed = await askWebhooks(parts.webhooks, identified.profile, context.webhookDataJson);
  if (!agreed.ok) return agreed;

  const grant = sponsorGrant(identified, permitted.value, parts.clock);
  const calculate = context.calculateGasLimits !== false;
  const gas = await findGasLimits({ identified, read, calculate, grant, callGasAllowance: 0n });
  if (!gas.ok) return gas;
  const operation = { ...read.operation, gas: gas.value };
  const guarded = await guardGasLimits(identified, operation, grant, calculate ? 'estimated' : 'given');
  if (!guarded.ok) return guarded;
  const state = await readContractState(identified, operation);
  if (!state.ok) return state;
  const hold = await holdWorstCase(parts, identified, operation, grant);
  if (!hold.ok) return hold;
  return accept(await signPaymasterData(parts, identified, operation, grant, { ...hold.value, state: state.value }));
}
