import { laterTurn, turnHasRoom } from '../../base/time/share-turns.ts';
import { isTraced, traced } from '../../base/traced.ts';
import { type DecisionDraft, noteResult } from '../../decisions/decision-draft.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import { accept, describeResult, type Result } from '../../domain/result/result.ts';
import type { SponsorshipContext, SponsorshipRequest } from '../../domain/sponsorship.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { Finding } from '../../policies/findings/finding.ts';
import type { StepId } from '../../policies/rules/ruling.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/** One step of a pipeline: adds its findings to what is known of the request, or refuses. */
export type Step<Known, Found extends object> = (request: Known) => Result<Found> | Promise<Result<Found>>;

/** Steps in order. A step can only follow those that provide its input: another order does not compile. */
type Steps<Asked extends object, Known extends object> = {
  /** These steps with one more at the end. */
  step<Found extends object>(next: Step<Known, Found>): Steps<Asked, Known & Found>;
  /** Runs the steps in order. Returns the first refusal, or everything known at the end. */
  run(request: Asked): Promise<Result<Known>>;
};

/** What is known after the last step. */
export type KnownAfter<Taken> = Taken extends Steps<never, infer Known> ? Known : never;

/** No steps yet. */
export function steps<Asked extends object>(): Steps<Asked, Asked> {
  return inOrder<Asked, Asked>([]);
}

// `never` because each step needs more than the one before it; `step` has checked that the input is provided.
function inOrder<Asked extends object, Known extends object>(
  taken: readonly Step<never, object>[],
): Steps<Asked, Known> {
  return {
    step: <Found extends object>(next: Step<Known, Found>) => inOrder<Asked, Known & Found>([...taken, next]),
    run: async (request) => {
      // Without a prototype it is in dictionary mode from the start; an object that grows this much would switch at some
      // cost.
      const known: object = Object.assign(Object.create(null), request);
      for (const step of taken) {
        while (!turnHasRoom()) await laterTurn();
        const pending = isTraced() ? traceStep(step, known) : step(known as never);
        const found = pending instanceof Promise ? await pending : pending;
        if (!found.ok) return found;
        Object.assign(known, found.value);
      }
      return accept(known as Known);
    },
  };
}

function traceStep(step: Step<never, object>, known: object): Promise<Result<object>> {
  return traced({ name: `step ${step.name}` }, async () => step(known as never), describeResult);
}

/** A step's name in the trace, and what it checks. */
type Noted<Known> = { readonly rule: StepId; readonly finding: Finding | ((request: Known) => Finding) };

/** A step whose result is always added to the decision's trace. */
export function noted<Known extends Pick<Asked, 'draft'>, Found extends object>(
  seen: Noted<Known>,
  step: Step<Known, Found>,
): Step<Known, Found> {
  return named(seen.rule, (request) => whenDone(step(request), (result) => note(seen, request, result)));
}

/** A step of which only a refusal is added to the trace. */
export function notedIfRefused<Known extends Pick<Asked, 'draft'>, Found extends object>(
  seen: Noted<Known>,
  step: Step<Known, Found>,
): Step<Known, Found> {
  return named(seen.rule, (request) =>
    whenDone(step(request), (result) => (result.ok ? result : note(seen, request, result))),
  );
}

/** Names a step by its rule, also in traces of the process. */
function named<Known, Found extends object>(rule: StepId, step: Step<Known, Found>): Step<Known, Found> {
  return Object.defineProperty(step, 'name', { value: rule });
}

function note<Known extends Pick<Asked, 'draft'>, Found>(
  { rule, finding }: Noted<Known>,
  request: Known,
  result: Result<Found>,
): Result<Found> {
  const found = typeof finding === 'function' ? finding(request) : finding;
  return noteResult(request.draft, { rule, finding: found }, result);
}

function whenDone<T>(pending: T | Promise<T>, next: (done: T) => T): T | Promise<T> {
  return pending instanceof Promise ? pending.then(next) : next(pending);
}

/**
 * The user's share of the gas, in percent: 100 in token mode, less if the policy has users pay a share and gives the rest,
 * which its limits then count.
 */
export type UserPays = {
  readonly userPercent: number;
  /** Ids of webhooks that have approved, while another share is tried: neither their data nor the cost depends on it. */
  readonly approvedBy?: Set<string>;
};

/** The fields of a hold for the share; empty if the user pays everything. */
export function userShare({ userPercent }: UserPays): { readonly userPercent?: number } {
  return userPercent === wholePercent ? {} : { userPercent };
}

/** Waits for the request's turn, then simulates. */
export function inTurn<T>(
  { parts, request, profile }: Asked & { readonly profile: { readonly paymaster: Pick<Paymaster, 'accountId'> } },
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const account = `${profile.paymaster.accountId} ${request.chainId}`;
  return parts.simulations.run({ client: request.clientAddress, account }, work);
}

/** A request about an operation, the parts that decide it, and the decision in progress. The input of every step. */
export type Asked = {
  readonly parts: SponsorshipParts;
  readonly draft: DecisionDraft;
  readonly request: SponsorshipRequest;
  /** The request's own, completed with the defaults of its method. */
  readonly context: SponsorshipContext;
  /**
   * Whether a client that gave limits gets the signed ones back: limits that it estimated with a stub can then be raised by
   * what no such estimate includes. Otherwise they are refused.
   */
  readonly mayRaiseLimits: boolean;
  /**
   * Whether limits far above the need are lowered, since the client gets the signed ones back. Otherwise they are refused.
   */
  readonly mayLowerLimits: boolean;
};

/** Thrown when the paymaster changes mid-decision, possibly by another process; the caller retries. */
export class PaymasterChanged extends Error {
  override readonly name = 'PaymasterChanged';
  readonly paymasterId: string;

  constructor(paymasterId: string) {
    super('The paymaster was changed during the request');
    this.paymasterId = paymasterId;
  }
}
