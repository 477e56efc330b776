import type { Attributes } from '@opentelemetry/api';
import type { Result } from './result.ts';

/** What a span tells of a result: whether it was refused, and the reason. */
export function describeResult(result: Result<unknown>): Attributes {
  if (result.ok) return { 'tollfree.outcome': 'accepted' };
  return { 'tollfree.outcome': 'refused', 'tollfree.reason': result.refusal.reason };
}
