import { accept, type Result } from '../domain/result.ts';
import type { SignedPaymasterData, SponsorshipContext } from '../domain/sponsorship.ts';
import type { Grant } from '../paymaster-contracts/family.ts';
import { askWebhooks } from './ask-webhooks.ts';
import { checkGasPrice } from './check-caps.ts';
import { checkPoliciesSet, checkWhitelist } from './check-whitelist.ts';
import { chooseWindow } from './choose-window.ts';
import { decodeInnerCalls } from './decode-inner-calls.ts';
import { findGasLimits } from './find-gas-limits.ts';
import { holdWorstCase } from './hold-worst-case.ts';
import type { Identified } from './identify.ts';
import { readLifetime, readSmartAccountInfo } from './read-context.ts';
import type { ReadOperation } from './read-user-operation.ts';
import { signPaymasterData } from './sign-paymaster-data.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';
import { viewChain } from './view-chain.ts';

/** Mode `SPONSORED`: the application pays. Every step in order; the first refusal is the answer. */
export async function sponsorOperation(
  parts: SponsorshipParts,
  identified: Identified,
  read: ReadOperation,
  context: SponsorshipContext,
): Promise<Result<Omit<SignedPaymasterData, 'decisionId'>>> {
  const { profile, chain } = identified;
  const account = readSmartAccountInfo(context);
  if (!account.ok) return account;
  const lifetime = readLifetime(context.expiryDuration, parts.validity);
  if (!lifetime.ok) return lifetime;
  const policies = checkPoliciesSet(profile);
  if (!policies.ok) return policies;
  const calls = decodeInnerCalls(read.operation, account.value);
  if (!calls.ok) return calls;
  const whitelisted = checkWhitelist(profile, calls.value);
  if (!whitelisted.ok) return whitelisted;
  const priced = checkGasPrice(read.operation, chain.config);
  if (!priced.ok) return priced;
  const view = viewChain(chain);
  if (!view.ok) return view;
  const agreed = await askWebhooks(parts.webhooks, profile, context.webhookDataJson);
  if (!agreed.ok) return agreed;

  const grant: Grant = { mode: 'SPONSORED', ...chooseWindow(lifetime.value, view.value, parts.clock) };
  const calculate = context.calculateGasLimits !== false;
  const gas = await findGasLimits({ identified, read, calculate, grant, callGasAllowance: 0n });
  if (!gas.ok) return gas;
  const operation = { ...read.operation, gas: gas.value };
  const hold = await holdWorstCase(parts, identified, operation, grant.validUntil);
  if (!hold.ok) return hold;
  return accept(await signPaymasterData(parts, identified, operation, grant, hold.value));
}
