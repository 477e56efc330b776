import { defaultPreview, maxPreview, maxPreviewDays } from '@tollfree/contract/limits';
import { unixSeconds } from '../../base/time/clock.ts';
import { inOwnTurn, inOwnTurns } from '../../base/time/in-own-turn.ts';
import { readPastDecisions } from '../../decisions/read-past-decisions.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core, Input } from '../../domain/core.ts';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import type { PolicyPreview } from '../../domain/policy-preview.ts';
import { accept, invalidField, type Result } from '../../domain/result/result.ts';
import { secondsPerDay } from '../../domain/utc-days.ts';
import { parsePolicy, policyText } from '../../policies/policy-text.ts';
import { createPreview, type PastDecision, type Preview } from '../../policies/preview-policy.ts';
import { countsUsd } from '../../policies/worth-usd.ts';
import { currentReader } from '../../store/current-reader.ts';
import { ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import { createReadTurns, maxReadMs, type ReadTurn } from '../../store/read-turns.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { policyFacts, unsetPolicyFacts } from '../audit-log/row-facts.ts';
import { checkProposed, hasNamedPolicy, policyNotFound, refuseOutdated } from './check-proposed.ts';
import { createTurns, type PolicyParts, putPolicy } from './put-policy.ts';

/** Previews that are made at once, each of another account: what they have in memory stops the event loop when it is collected. */
const maxPreviews = 2;

/** The operations of `Core` on the default policy, and the preview. A new policy applies from the next request on. */
export function managePolicies(parts: PolicyParts): Pick<Core, 'readPolicy' | 'setPolicy' | 'previewPolicy'> {
  const inTurn = createTurns();
  const previewTurns = createReadTurns({ connections: maxPreviews, maxMs: maxReadMs });
  return {
    readPolicy: (owned) => readPolicy(parts, owned),
    // Counting takes time: of two policies, the one set later must stay.
    setPolicy: (input) => inTurn(input.paymasterId, () => setPolicy(parts, input)),
    previewPolicy: async (input) => {
      const turn = await previewTurns.begin(currentReader());
      try {
        return await previewChanges(parts, input, turn);
      } finally {
        turn.end();
      }
    },
  };
}

async function readPolicy({ store }: PolicyParts, owned: Owned): Promise<Result<Policy>> {
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  const { paymasterId } = owned;
  const row = await store.db
    .selectFrom('policies')
    .select('policy')
    .where('paymaster_id', '=', paymasterId)
    .executeTakeFirst();
  if (row === undefined) return accept({ ...defaultPolicy, etag: etagOf('policy', unsetPolicyFacts) });
  return accept({ ...parsePolicy(row.policy, paymasterId), etag: etagOf('policy', policyFacts(row.policy)) });
}

async function setPolicy(parts: PolicyParts, input: Input<'setPolicy'>): Promise<Result<Policy>> {
  const checked = await checkProposed(parts, input, input.policy);
  if (!checked.ok) return checked;
  const { policy } = checked.value;
  const text = await inOwnTurn(input.accountId, () => policyText(policy));
  return putPolicy(parts, input, { policyId: '', policy }, async (trx) => {
    const outdated = await refuseOutdated(trx, input, checked.value);
    if (outdated !== undefined) return outdated;
    const row = { policy: text, updated_at: unixSeconds(parts.clock) };
    await trx
      .insertInto('policies')
      .values({ paymaster_id: input.paymasterId, ...row })
      .onConflict((conflict) => conflict.column('paymaster_id').doUpdateSet(row))
      .execute();
    return accept({ ...policy, etag: etagOf('policy', policyFacts(text)) });
  });
}

/** Decides the last decisions of a policy again with a proposed one, which is not stored. */
async function previewChanges(
  parts: PolicyParts,
  input: Input<'previewPolicy'>,
  turn: ReadTurn,
): Promise<Result<PolicyPreview>> {
  const { store, profiles, coinPrice, flushDecisions } = parts;
  const { paymasterId, policyId = '', days } = input;
  const { last = days === undefined ? defaultPreview : maxPreview } = input;
  if (!isCount(last, maxPreview)) return invalidField('last', `must be a whole number from 1 to ${maxPreview}`);
  if (days !== undefined && !isCount(days, maxPreviewDays)) {
    return invalidField('days', `must be a whole number from 1 to ${maxPreviewDays}`);
  }
  const checked = await checkProposed(parts, input, input.policy);
  if (!checked.ok) return checked;
  const reference = { paymasterId, policyId };
  if (policyId !== '' && !(await hasNamedPolicy(store.db, reference))) return policyNotFound;
  const profile = await profiles.findById(paymasterId);
  if (profile === undefined) return paymasterNotFound;
  await flushDecisions?.();
  const { policy } = checked.value;
  const price = countsUsd(policy) ? await coinPrice(profile.paymaster.chainId) : undefined;
  const preview = createPreview({ contracts: profile.contracts, ...checked.value });
  const since = days === undefined ? 0 : unixSeconds(parts.clock) - days * secondsPerDay;
  const key = { ...reference, accountId: input.accountId };
  for await (const past of readPastDecisions(store.db, key, { last, since })) {
    const decisions = price === undefined ? past : past.map((decision) => withPrice(decision, price));
    await inOwnTurns(input.accountId, decideEach(preview, decisions, turn));
  }
  return accept(await inOwnTurns(input.accountId, preview.result()));
}

function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/** Ends when the turn has taken too long, and when no one waits for the answer any more. */
function* decideEach(preview: Preview, decisions: readonly PastDecision[], turn: ReadTurn): Generator<void, void> {
  for (const decision of decisions) {
    turn.check();
    preview.decide(decision);
    yield;
  }
}

/** Uses the current price for a decision that was made without one. */
function withPrice(decision: PastDecision, usdMicrosPerCoin: bigint): PastDecision {
  return { ...decision, facts: { usdMicrosPerCoin, ...decision.facts } };
}
