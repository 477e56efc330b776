import { utcTime } from '../../base/time/clock.ts';
import type { Policy } from '../../domain/policy.ts';
import { findPause } from './rule-on-time.ts';
import type { Ruling } from './ruling.ts';

const rule = 'policy-pause' as const;

/** The weekly times in which the policy sponsors nothing; `now` in Unix seconds. */
export function ruleOnPause({ pauses }: Policy, now: number): Ruling {
  if (pauses.length === 0) return { rule, finding: [rule, now, false] };
  const seen: Ruling = { rule, finding: [rule, now, true] };
  const pause = findPause(pauses, now);
  if (!pause.paused) return seen;
  const [message, frees] =
    pause.ends === 'never'
      ? ['The pauses of this paymaster’s policy fill the whole week.', 'Shorten the pauses. They leave no time open.']
      : [
          `The policy of this paymaster pauses sponsorship until ${utcTime(pause.ends)}.`,
          `Change the pauses, or try again from ${utcTime(pause.ends)} on.`,
        ];
  return {
    ...seen,
    refusal: { reason: 'LIMIT_EXCEEDED', limitKind: 'SCHEDULE', message, details: { limit: 'pause', frees } },
  };
}
