import { draftDecision } from '../decisions/decision-draft.ts';
import { decisionRow } from '../decisions/decision-row.ts';
import type { DecisionMethod, DecisionOutcome } from '../domain/decision.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { SponsorshipRequest } from '../domain/sponsorship.ts';
import { nameRevert } from './name-revert.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import type { SponsorshipRun } from './sponsorship-run.ts';

/** What each kind of answer counts as. */
const outcomes = { signed: 'signed', quotes: 'quoted', stub: 'stub' } as const satisfies Record<
  string,
  DecisionOutcome
>;

type Answer = { readonly kind: keyof typeof outcomes };

/** A result with the decision behind it, and its outcome. */
export type Decided<T> = {
  readonly result: Result<T>;
  readonly run: SponsorshipRun;
  readonly outcome: DecisionOutcome;
};

/** Runs the steps, which write the decision's draft. */
export async function runDecision<T extends Answer>(
  parts: SponsorshipParts,
  asked: { readonly method: DecisionMethod; readonly request: SponsorshipRequest },
  steps: (run: SponsorshipRun) => Promise<Result<T>>,
): Promise<Decided<T>> {
  const { method, request } = asked;
  const run = { ...parts, draft: draftDecision(method, request.chainId, parts.clock.now()) };
  const result = await steps(run);
  if (result.ok) return { result, run, outcome: outcomes[result.value.kind] };
  return { result: refuse(await nameRevert(parts, request, result.refusal)), run, outcome: 'refused' };
}

/**
 * Runs the steps and gives the answer its id, under which it is logged and kept. A decision that holds is kept with its
 * hold, before anything is signed; the others soon after the answer.
 */
export async function decide<T extends Answer>(
  parts: SponsorshipParts,
  asked: { readonly method: DecisionMethod; readonly request: SponsorshipRequest },
  steps: (run: SponsorshipRun) => Promise<Result<T>>,
): Promise<Result<T & { readonly decisionId: string }>> {
  const { result, run, outcome } = await runDecision(parts, asked, steps);
  const { decisionId, chainId, operation } = run.draft;
  const fields = { decisionId, chainId, sender: operation?.sender };
  if (outcome !== 'signed') {
    const row = decisionRow(run.draft, outcome, result.ok ? undefined : result.refusal);
    if (row !== undefined) parts.decisions.add(row);
  }
  if (!result.ok) {
    parts.logger.info({ ...fields, reason: result.refusal.reason }, 'Refused');
    return refuse({ ...result.refusal, decisionId });
  }
  parts.logger.info({ ...fields, outcome: result.value.kind }, 'Answered');
  return accept({ ...result.value, decisionId });
}
