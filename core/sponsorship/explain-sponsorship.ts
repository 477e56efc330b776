import { omitAbsent } from '@tollfree/contract/omit-absent';
import { withContents } from '../decisions/decided-call.ts';
import { toTraceStep } from '../decisions/decision-draft.ts';
import { factsOf } from '../decisions/decision-record.ts';
import type { Core } from '../domain/core.ts';
import type { Explanation } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, refuse } from '../domain/result/result.ts';
import { readAskingKey } from '../paymasters/key-settings.ts';
import type { AskingKey } from '../paymasters/sponsor-profile.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { Store } from '../store/store.ts';
import { type Answered, answers } from './answers.ts';
import { type Decided, runDecision } from './decide.ts';
import { dryParts, silentWebhooks } from './dry-parts.ts';
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
