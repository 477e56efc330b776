import { trace } from '@opentelemetry/api';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type DecisionDraft, draftDecision, noteExplained, noteResult } from '../decisions/decision-draft.ts';
import type { DecisionMethod, DecisionOutcome } from '../domain/decision.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { SponsorshipRequest } from '../domain/sponsorship.ts';
import type { UserOperation } from '../domain/user-operation.ts';
import { SignerUnavailableError } from '../evm/signer/signer.ts';
import { isExecutionReverted, withNamedRevert } from '../gas/failures/decode-failure.ts';
import { nameFailingCall } from '../gas/failures/name-failing-call.ts';
import { findFailingCall } from '../gas/simulation/find-failing-call.ts';
import { explainRefusal } from './explain-refusal.ts';
import { decodeInnerCalls } from './permit/decode-calls.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';
import { type Asked, PaymasterChanged } from './run/steps.ts';

/** The outcome of each kind of answer. */
const outcomes = {
  signed: 'signed',
  relayed: 'signed',
  quotes: 'quoted',
  stub: 'stub',
  terms: 'stub',
} as const satisfies Record<string, DecisionOutcome>;

type Answer = { readonly kind: keyof typeof outcomes };

/** A result with the decision behind it, and its outcome. */
export type Decided<T> = {
  readonly result: Result<T>;
  readonly draft: DecisionDraft;
  readonly outcome: DecisionOutcome;
};

type Question<Request extends SponsorshipRequest> = { readonly method: DecisionMethod; readonly request: Request };

/** Methods whose answer always contains the signed limits, which their clients use. */
const answersLimits: ReadonlySet<DecisionMethod> = new Set(['getFeeQuoteOrData', 'sponsorUserOperation']);

/** How often a decision is repeated because its paymaster was changed meanwhile. */
const maxTimesAnew = 5;

/**
 * Runs the steps of an answer, which write the decision's draft; repeats them if the paymaster changed meanwhile. If it
 * keeps changing, refuses with `RATE_LIMITED`.
 */
export async function runDecision<Request extends SponsorshipRequest, T extends Answer>(
  parts: SponsorshipParts,
  { method, request }: Question<Request>,
  answer: (asked: Asked & { readonly request: Request }) => Promise<Result<T>>,
): Promise<Decided<T>> {
  for (let retries = 0; ; retries += 1) {
    const draft = draftDecision(method, request, parts.clock.now());
    const asked = {
      parts,
      draft,
      request,
      context: request.context,
      mayRaiseLimits: false,
      mayLowerLimits: answersLimits.has(method),
    };
    try {
      return await takeSteps(asked, answer);
    } catch (cause) {
      if (!(cause instanceof PaymasterChanged)) throw cause;
      parts.profiles.forget(cause.paymasterId);
      if (retries === maxTimesAnew)
        return { result: noteResult(draft, settings, beingChanged), draft, outcome: 'refused' };
    }
  }
}

const settings = { rule: 'policy', finding: ['changing-settings', maxTimesAnew + 1] } as const;
const beingChanged = refuse({
  reason: 'RATE_LIMITED',
  message: "The paymaster's settings kept changing while this request was processed. Try again shortly.",
});

async function takeSteps<A extends Asked, T extends Answer>(
  asked: A,
  answer: (asked: A) => Promise<Result<T>>,
): Promise<Decided<T>> {
  const { draft } = asked;
  const result = await answer(asked).catch((cause) => refuseWithoutSigner(asked, cause));
  if (result.ok) return { result, draft, outcome: outcomes[result.value.kind] };
  const refusal = await explainRefusal(asked, await nameRevert(asked, result.refusal));
  noteExplained(draft, result.refusal, refusal);
  return { result: refuse(refusal), draft, outcome: 'refused' };
}

/** The hold is kept: a backend that did not answer may have signed after all. A repeated request finds the hold. */
function refuseWithoutSigner({ parts, draft }: Asked, cause: unknown): Result<never> {
  if (!(cause instanceof SignerUnavailableError)) throw cause;
  parts.logger.warn({ err: cause, decisionId: draft.decisionId, chainId: draft.chainId }, 'The signer did not sign');
  return refuse({ reason: 'SIGNER_UNAVAILABLE', message: cause.message });
}

/**
 * Runs the steps and gives the answer its id, under which it is logged and stored. A decision with a hold is written
 * together with it, before anything is signed; the others soon after the answer.
 */
export async function decide<Request extends SponsorshipRequest, T extends Answer>(
  parts: SponsorshipParts,
  question: Question<Request>,
  answer: (asked: Asked & { readonly request: Request }) => Promise<Result<T>>,
): Promise<Result<T & { readonly decisionId: string }>> {
  const { result, draft, outcome } = await runDecision(parts, question, answer);
  const { decisionId, chainId, mode, operation } = draft;
  const reason = result.ok ? undefined : result.refusal.reason;
  trace.getActiveSpan()?.setAttributes({
    'tollfree.decision_id': decisionId,
    'tollfree.chain_id': chainId,
    'tollfree.method': question.method,
    'tollfree.outcome': outcome,
    ...omitAbsent({ 'tollfree.reason': reason }),
  });
  parts.noteDecision?.({ chainId, outcome, ...omitAbsent({ mode, reason }) });
  const fields = { decisionId, chainId, sender: operation?.sender };
  if (outcome !== 'signed') parts.decisions.record(draft, outcome, result.ok ? undefined : result.refusal);
  else if (operation !== undefined && draft.calls !== undefined) {
    const { request } = question;
    const { smartAccountInfo: account } = request.context;
    parts.noteSigned?.({ request, decisionId, operation, account, calls: draft.calls });
  }
  if (!result.ok) {
    parts.logger.info({ ...fields, reason: result.refusal.reason }, 'Refused');
    return refuse({ ...result.refusal, decisionId });
  }
  // The gateway's log line of the request names the decision.
  parts.logger.debug({ outcome: result.value.kind, ...fields }, 'Answered');
  return accept({ decisionId, ...result.value });
}

/**
 * A refusal for the account holder: names the call that fails, and a custom error if a contract registered with the paymaster has
 * it. Considers the called contracts and the account itself, since any of them may have reverted.
 */
export async function nameRevert(asked: Asked, refusal: Refusal): Promise<Refusal> {
  const { paymasterId, operation } = asked.draft;
  if (refusal.details?.revert === undefined || paymasterId === undefined || operation === undefined) return refusal;
  const named = isExecutionReverted(refusal) ? await nameCall(asked, { paymasterId, operation, refusal }) : refusal;
  if (named.details?.revertData === undefined) return named;
  const addresses = [...targetsOf(asked, operation), operation.sender];
  return withNamedRevert(named, await asked.parts.errors.find(paymasterId, addresses));
}

type Failed = { readonly paymasterId: string; readonly operation: UserOperation; readonly refusal: Refusal };

/** The refusal with its failing call, if one of the operation's calls fails when they are made one after the other. */
async function nameCall(asked: Asked, { paymasterId, operation, refusal }: Failed): Promise<Refusal> {
  const { parts, request, context } = asked;
  const chain = parts.chains.get(request.chainId);
  const decoded = decodeInnerCalls(operation, context.smartAccountInfo);
  if (chain === undefined || !decoded.ok) return refusal;
  const { calls } = decoded.value;
  const turn = { client: request.clientAddress, account: `${paymasterId} ${request.chainId}` };
  const found = await parts.simulations.run(turn, async () =>
    accept(await findFailingCall(chain, operation.sender, calls)),
  );
  if (!found.ok || found.value === undefined) return refusal;
  const { target: address, selector } = found.value.call;
  const method = selector && (await parts.errors.findMethod(paymasterId, { address, selector }));
  return nameFailingCall(refusal, { failing: found.value, signature: method?.signature, callCount: calls.length });
}

/** The operation's targets. In token mode its calls have not been decoded yet. */
function targetsOf({ draft: { mode, calls = [] }, context }: Asked, operation: UserOperation): readonly string[] {
  if (mode === 'SPONSORED') return calls.map(({ target }) => target);
  const decoded = decodeInnerCalls(operation, context.smartAccountInfo);
  return decoded.ok ? decoded.value.calls.map(({ target }) => target) : [];
}
