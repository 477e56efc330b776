import { maxValidatedPolicies } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Core } from '../domain/core.ts';
import type { PaymasterKey, SponsoringPolicy } from '../domain/paymaster-data.ts';
import type { RefusalReason } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { RawUserOperation } from '../domain/user-operation.ts';
import type { Store } from '../store/store.ts';
import { answerData } from './answer-paymaster-data.ts';
import { runDecision } from './decide.ts';
import { dryParts, silentWebhooks } from './dry-parts.ts';
import { identifyForEntryPoint } from './identify/identify.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';

/** Refusals that mean the policy does not sponsor; all others mean that it is unknown now. */
const noes: ReadonlySet<RefusalReason> = new Set([
  'POLICY_NOT_ACCEPTED',
  'NO_POLICIES',
  'CONTRACT_NOT_REGISTERED',
  'METHOD_NOT_WHITELISTED',
  'ARGUMENT_NOT_ALLOWED',
  'CALL_NOT_UNDERSTOOD',
  'ACCOUNT_NOT_KNOWN',
  'SENDER_BLOCKED',
  'USER_PAYS_SHARE',
  'RELAY_REQUIRED',
  'LIMIT_EXCEEDED',
  'GAS_PRICE_TOO_HIGH',
  'INSUFFICIENT_FUNDS',
]);

type Asked = PaymasterKey & {
  readonly userOperation: RawUserOperation;
  readonly entryPoint: string;
  readonly policyIds: readonly string[];
};

/**
 *
 *
 * `pm_validateSponsorshipPolicies`: runs the steps of a real request for each policy, one after the other, without side
 * effects.
 */
export function createValidatePolicies(parts: SponsorshipParts, store: Store): Pick<Core, 'validatePolicies'> {
  const dry = { ...dryParts(parts, store), webhooks: silentWebhooks };
  return { validatePolicies: (asked) => validate({ dry, takeOfRate: parts.takeOfRate }, asked) };
}

async function validate(
  { dry, takeOfRate }: { readonly dry: SponsorshipParts } & Pick<SponsorshipParts, 'takeOfRate'>,
  asked: Asked,
): Promise<Result<readonly SponsoringPolicy[]>> {
  const { policyIds, ...request } = asked;
  if (policyIds.length > maxValidatedPolicies) {
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `policyIds must be ${maxValidatedPolicies} at most`,
      field: 'policyIds',
    });
  }
  const identified = await identifyForEntryPoint({ ...dry, takeOfRate }, request);
  if (!identified.ok) return identified;
  const { profile } = identified.value;
  const sponsoring: SponsoringPolicy[] = [];
  for (const policyId of new Set(policyIds)) {
    const policy = await dry.profiles.choose(profile, policyId);
    if (policy === undefined) continue;
    const context = { mode: 'SPONSORED', sponsorshipInfoGiven: false, calculateGasLimits: true, policyId };
    const question = { method: 'getPaymasterData', request: { ...request, context } } as const;
    const { result } = await runDecision(dry, question, answerData);
    if (result.ok) {
      const { name, author = profile.paymaster.name, description, icon } = policy;
      sponsoring.push({ policyId, name, author, ...omitAbsent({ description, icon }) });
    } else if (!noes.has(result.refusal.reason)) return result;
  }
  return accept(sponsoring);
}
