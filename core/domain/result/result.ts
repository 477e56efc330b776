import type { Attributes } from '@opentelemetry/api';
import type { Refusal } from './refusal.ts';

/** Outcome of an operation: a value, or a refusal as data. Exceptions are for bugs and broken transports only. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function accept<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

/** Span attributes of a result: whether it was refused, and the reason. */
export function describeResult(result: Result<unknown>): Attributes {
  if (result.ok) return { 'tollfree.outcome': 'accepted' };
  return { 'tollfree.outcome': 'refused', 'tollfree.reason': result.refusal.reason };
}
