import { noteRuling } from '../../decisions/decision-draft.ts';
import { decisionRow } from '../../decisions/decision-row.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Grant } from '../../evm/paymaster-contracts/family/family.ts';
import type { HoldOutcome } from '../../ledger/holds/hold-request.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import { encodeTerms, type SponsorshipTerms, withTerms } from '../grant/sponsorship-terms.ts';
import type { Identified } from '../request/identify.ts';
import type { SponsorshipRun } from '../sponsorship-run.ts';
import { type CappedCost, capCost } from './cap-cost.ts';
import { findFunds, withSecondLook } from './find-funds.ts';

/** A hold, and what is to be signed for it. */
export type Held<G extends Grant> = SponsorshipTerms<G> & { readonly holdId: number };

/**
 * Eighth step: the operation's worst case is set aside in the gas tank, durably and within the policy's limits, before
 * anything is signed. The terms are those of an earlier answer when the same request was granted before.
 */
export async function holdWorstCase<G extends Grant>(
  run: SponsorshipRun,
  identified: Identified,
  terms: SponsorshipTerms<G>,
  requestKey: string,
): Promise<Result<Held<G>>> {
  const { operation, grant } = terms;
  const cost = await capCost(run, identified, operation, grant);
  if (!cost.ok) return cost;
  let rulings: readonly Ruling[] = [];
  const held = await withSecondLook(identified.chain, async (): Promise<Result<Held<G>>> => {
    rulings = [];
    const funds = await findFunds(identified);
    if (!funds.ok) return funds;
    const outcome = await run.holds.hold({
      ...funds.value,
      ...(cost.value.usdMicrosPerCoin === undefined ? {} : { usdMicrosPerCoin: cost.value.usdMicrosPerCoin }),
      paymasterId: identified.profile.paymaster.paymasterId,
      mode: grant.mode,
      sender: operation.sender,
      nonce: operation.nonce,
      amount: cost.value.amount,
      validUntil: grant.validUntil,
      requestKey,
      terms: encodeTerms(terms),
      decisionRow: (found) => keepDecision(run, found),
    });
    if (outcome.kind === 'held') {
      const kept = outcome.terms === undefined ? terms : withTerms(terms, outcome.terms);
      return accept({ ...kept, holdId: outcome.holdId });
    }
    rulings = refusedRulings(outcome, cost.value);
    return refuse(refusalOf(outcome, cost.value));
  });
  for (const ruling of rulings) noteRuling(run.draft, ruling);
  return held;
}

/** The record of a decision that holds, written with the hold. */
function keepDecision({ draft }: SponsorshipRun, rulings: readonly Ruling[]) {
  for (const ruling of rulings) noteRuling(draft, ruling);
  return decisionRow(draft, 'signed', undefined);
}

type Unheld = Exclude<HoldOutcome, { readonly kind: 'held' }>;

function refusalOf(outcome: Unheld, { amount }: CappedCost): Refusal {
  switch (outcome.kind) {
    case 'busy':
      return { reason: 'RATE_LIMITED', message: 'Too many operations are being signed at this moment.' };
    case 'limited':
      return outcome.refusal;
    case 'unfunded':
      return {
        reason: 'INSUFFICIENT_FUNDS',
        message: `The gas tank cannot carry this operation: it can cost up to ${amount} wei and ${outcome.available} wei is available.`,
        details: { needed: amount.toString(), available: outcome.available.toString() },
      };
  }
}

function refusedRulings(outcome: Unheld, cost: CappedCost): readonly Ruling[] {
  switch (outcome.kind) {
    case 'busy':
      return [{ rule: 'gas-tank', checked: 'the queue of holds', refusal: refusalOf(outcome, cost) }];
    case 'limited':
      return outcome.rulings;
    case 'unfunded':
      return [
        ...outcome.rulings,
        {
          rule: 'gas-tank',
          checked: `worst case ${cost.amount} wei`,
          limit: `${outcome.available} wei available`,
          refusal: refusalOf(outcome, cost),
        },
      ];
  }
}
