import { longestValidity } from '../../domain/core-config.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import { readLifetime } from '../identify/field-readers.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused, type Step } from '../run/steps.ts';

/** The lifetime of the signature or quote, and its maximum, in seconds. */
export type Lifetime = {
  readonly lifetimeSeconds: number;
  readonly longestSeconds: number;
  /** It is longer than the default maximum. */
  readonly lastsLong: boolean;
};

const seen = { rule: 'lifetime', finding: ['lifetime'] } as const;

/** The client's request within the bounds of the policy and the operator, where the application pays. */
export const readSignatureLifetime: Step<Asked & Identified, Lifetime> = notedIfRefused(seen, (request) =>
  read(request, longestValidity(request.parts.validity)),
);

/**
 * The same in token mode, never longer than the operator's general maximum: a rate that holds for a day would be a free
 * option.
 */
export const readTokenLifetime: Step<Asked & Identified, Lifetime> = notedIfRefused(seen, (request) =>
  read(request, request.parts.validity.maxSeconds),
);

function read({ context, parts: { validity }, profile }: Asked & Identified, mostSeconds: number): Result<Lifetime> {
  const { maxValiditySeconds = validity.maxSeconds } = profile.policy;
  const longestSeconds = Math.max(Math.min(maxValiditySeconds, mostSeconds), validity.minSeconds);
  const defaultSeconds = Math.min(validity.defaultSeconds, longestSeconds);
  const lifetime = readLifetime(context.expiryDuration, { ...validity, defaultSeconds, maxSeconds: longestSeconds });
  if (!lifetime.ok) return lifetime;
  const lifetimeSeconds = lifetime.value;
  return accept({ lifetimeSeconds, longestSeconds, lastsLong: lifetimeSeconds > validity.maxSeconds });
}
