import { maxValidatedPolicies } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { toTraceStep } from '../decisions/decision-draft.ts';
import { factsOf } from '../decisions/decision-record.ts';
import { withContents } from '../decisions/request-record.ts';
import type { Core } from '../domain/core.ts';
import type { Explanation } from '../domain/decision.ts';
import type { PaymasterKey, SponsoringPolicy } from '../domain/paymaster-data.ts';
import type { Refusal, RefusalReason } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { RawUserOperation } from '../domain/user-operation.ts';
import { createDryHolds } from '../ledger/holds/hold-queue.ts';
import { readAskingKey } from '../paymasters/key-settings.ts';
import type { AskingKey, ChosenPolicy } from '../paymasters/sponsor-profile.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { Store } from '../store/store.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import { answerData } from './answer-paymaster-data.ts';
import { type Answered, answers } from './answers.ts';
import { type Decided, runDecision } from './decide.ts';
import { findPolicy } from './identify/choose-policy.ts';
import { identifyForEntryPoint } from './identify/identify.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';

/**
 * Runs the steps of a real request with other parts: holds are only tried, nothing is signed or stored, and webhooks are
 * only called on request.
 */
export function createExplain(
  parts: SponsorshipParts,
  context: { readonly store: Store; readonly profiles: SponsorProfiles },
): Pick<Core, 'explainSponsorship'> {
  const { store, profiles } = context;
  const dry = dryParts(parts, store);
  return {
    explainSponsorship: async (input) => {
      const found = await profiles.findById(input.paymasterId);
      if (found === undefined || found.paymaster.accountId !== input.accountId) {
        return refuse({ reason: 'PAYMASTER_NOT_FOUND', message: 'Paymaster not found' });
      }
      const { paymasterId, apiKeyId } = input;
      const key = apiKeyId === undefined ? found.key : await readAskingKey(store.db, { paymasterId, apiKeyId });
      if (key === undefined) return refuse({ reason: 'API_KEY_NOT_FOUND', message: 'API key not found' });
      const profile = { ...found, key: asAsked(key, input) };
      const webhooks = input.askWebhooks ? parts.webhooks : silentWebhooks;
      const { apiKey, chainId } = profile.paymaster;
      const { userOperation, context: asked, entryPoint } = input;
      const arrival = { method: `pm_${input.method}`, ...omitAbsent({ origin: input.origin, address: input.address }) };
      const request = { apiKey, chainId, userOperation, context: asked, arrival, entryPoint: entryPoint ?? '' };
      const known = { ...profiles, find: async () => profile, forget: () => undefined, isCurrent: () => true };
      const answer: Answered = answers[input.method];
      const silent = { ...dry, webhooks, profiles: known };
      return accept(explanation(await runDecision(silent, { method: input.method, request }, answer)));
    },
  };
}

/** The key without restrictions on what the question leaves out. */
function asAsked(
  key: AskingKey,
  { origin, address }: { readonly origin?: string; readonly address?: string },
): AskingKey {
  const origins = origin === undefined ? [] : key.rules.origins;
  const networks = address === undefined ? [] : key.rules.networks;
  return { ...key, rules: { ...key.rules, origins, networks } };
}

function explanation({ result, draft, outcome }: Decided<unknown>): Explanation {
  const { decisionId, decidedAt, method, chainId, mode, policyId, operation, token, trace } = draft;
  const recorded = factsOf(draft);
  const facts = recorded && withContents(recorded, draft.contents);
  return {
    decisionId,
    decidedAt,
    method,
    chainId,
    outcome,
    ...(result.ok ? {} : refused(result.refusal)),
    ...omitAbsent({ mode, policyId, sender: operation?.sender, nonce: operation?.nonce, token, facts }),
    trace: trace.map(toTraceStep),
  };
}

function refused({ reason, message, tokenOffers }: Refusal): Pick<Explanation, 'reason' | 'message' | 'tokenOffers'> {
  return { reason, message, ...omitAbsent({ tokenOffers }) };
}

/** Refusals that mean the policy does not sponsor this request; all others mean that it is unknown now. */
const noes: ReadonlySet<RefusalReason> = new Set([
  'POLICY_NOT_ACCEPTED',
  'NO_POLICIES',
  'CONTRACT_NOT_REGISTERED',
  'METHOD_NOT_WHITELISTED',
  'ARGUMENT_NOT_ALLOWED',
  'CALL_NOT_UNDERSTOOD',
  'ACCOUNT_NOT_KNOWN',
  'SENDER_BLOCKED',
  'TICKET_REQUIRED',
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
    const found = await findPolicy(dry, profile, policyId);
    if (!found.ok) continue;
    const { chosen = { name: nameOfDefault } } = found.value;
    const context = { mode: 'SPONSORED', sponsorshipInfoGiven: false, calculateGasLimits: true, policyId };
    const question = { method: 'getPaymasterData', request: { ...request, context } } as const;
    const { result } = await runDecision(dry, question, answerData);
    if (result.ok) {
      const { name, author = profile.paymaster.name, description, icon }: Shown = chosen;
      sponsoring.push({ policyId, name, author, ...omitAbsent({ description, icon }) });
    } else if (!noes.has(result.refusal.reason)) return result;
  }
  return accept(sponsoring);
}

/** What is shown of a policy. The default one, which an id of another provider may stand for, has only a name. */
type Shown = Pick<ChosenPolicy, 'name' | 'author' | 'description' | 'icon'>;
const nameOfDefault = 'Default policy';

/** A placeholder signature of the right size. */
const noSignature = `0x${'00'.repeat(65)}` as const;

/** Webhooks that are never called. */
const silentWebhooks: WebhookCaller = {
  call: async () => accept(true),
  remark: ' (not called; assumed to agree)',
};

/** Parts for a decision without side effects: holds are only tried, and nothing is signed or stored. */
function dryParts(parts: SponsorshipParts, store: Store): SponsorshipParts {
  return {
    ...parts,
    noteUse: () => undefined,
    takeOfRate: () => true,
    holds: createDryHolds(store, parts.clock),
    signatures: { record: () => undefined },
    decisions: { record: () => undefined },
    sign: async () => noSignature,
    relays: { handOver: async () => ({ kind: 'taken' }) },
    vendorQuestions: undefined,
    quotes: { ...parts.quotes, remember: () => undefined },
  };
}
