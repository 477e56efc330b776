import { noteResult } from '../../decisions/decision-draft.ts';
import type { Result } from '../../domain/result/result.ts';
import type { StepId } from '../../policies/rules/rule-ids.ts';
import type { Asked } from './asked.ts';
import type { Step } from './steps.ts';

/** A step's name in the trace, and what it checks, for people. */
type Noted<Known> = { readonly rule: StepId; readonly checked: string | ((request: Known) => string) };

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
  { rule, checked }: Noted<Known>,
  request: Known,
  result: Result<Found>,
): Result<Found> {
  const text = typeof checked === 'string' ? checked : checked(request);
  return noteResult(request.draft, { rule, checked: text }, result);
}

function whenDone<T>(pending: T | Promise<T>, next: (done: T) => T): T | Promise<T> {
  return pending instanceof Promise ? pending.then(next) : next(pending);
}
