import type { Attributes } from '@opentelemetry/api';
import { maxNameLength, unprintable } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Refusal } from './refusal.ts';

/** Refuses one field of the input. The message is the field followed by the requirement: `name must be a string`. */
export function invalidField(
  field: string,
  requirement: string,
  details?: Readonly<Record<string, string>>,
): ReturnType<typeof refuse> {
  return refuse({
    reason: 'INVALID_FIELD',
    message: `${field} ${requirement}`,
    field,
    ...omitAbsent({ details }),
  });
}

/** A name chosen by an account holder: 1 to {@link maxNameLength} UTF-16 units, not blank, nothing {@link unprintable}. */
export function checkName(name: string): Result<string> {
  const printable = name.trim() !== '' && !unprintable.test(name);
  if (printable && name.length <= maxNameLength) return accept(name);
  return invalidField('name', `must be a string of 1 to ${maxNameLength} printable characters`);
}

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
