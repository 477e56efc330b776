import { utcTime } from '../../base/time/clock.ts';
import type { Policy, PolicyPause, Weekday } from '../../domain/policy.ts';
import type { Ruling } from './ruling.ts';

const pauseRule = 'policy-pause' as const;

/** The weekly times in which the policy sponsors nothing; `now` in Unix seconds. */
export function ruleOnPause({ pauses }: Policy, now: number): Ruling {
  if (pauses.length === 0) return { rule: pauseRule, finding: [pauseRule, now, false] };
  const seen: Ruling = { rule: pauseRule, finding: [pauseRule, now, true] };
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
    refusal: {
      reason: 'LIMIT_EXCEEDED',
      limitKind: 'SCHEDULE',
      message,
      details: { limit: 'pause', frees },
      ...(pause.ends === 'never' ? {} : { resetsAt: pause.ends }),
    },
  };
}

const minuteSeconds = 60;
const daySeconds = 86_400;
const weekSeconds = 7 * daySeconds;

/** Whether a moment is in a pause, and when the pause ends; `never` when pauses fill the week. */
type PauseState = { readonly paused: false } | { readonly paused: true; readonly ends: number | 'never' };

/** Pauses that touch or overlap count as one. Moments are Unix seconds, the calendar is UTC. */
export function findPause(pauses: readonly PolicyPause[], moment: number): PauseState {
  let ends = moment;
  for (;;) {
    const later = Math.max(...pauses.map((pause) => endOfPause(pause, ends)), ends);
    if (later === ends) break;
    ends = later;
    // The schedule repeats weekly: without a gap in one week there is none at all.
    if (ends >= moment + weekSeconds) return { paused: true, ends: 'never' };
  }
  return ends === moment ? { paused: false } : { paused: true, ends };
}

/** End of the pause that contains the moment, or the moment itself outside any pause. */
function endOfPause({ days, from, until }: PolicyPause, moment: number): number {
  const today = moment - (moment % daySeconds);
  const runsOn = until <= from ? daySeconds : 0;
  let ends = moment;
  // One that began yesterday may still run.
  for (const day of [today - daySeconds, today]) {
    const begins = day + from * minuteSeconds;
    const end = day + until * minuteSeconds + runsOn;
    if (days.includes(weekday(day)) && begins <= moment && moment < end) ends = Math.max(ends, end);
  }
  return ends;
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Weekday of the day that begins at the moment. 1 January 1970 was a Thursday. */
function weekday(dayStart: number): Weekday {
  const index = (((dayStart / daySeconds + 3) % 7) + 7) % 7;
  return weekdays[index] ?? 1;
}

const timeRule = 'policy-period' as const;

/** The period in which the policy sponsors anything; `now` in Unix seconds. */
export function ruleOnPeriod({ notBefore, notAfter }: Policy, now: number): Ruling {
  const seen: Ruling = { rule: timeRule, finding: [timeRule, now, notBefore, notAfter] };
  if (notBefore !== undefined && now < notBefore) {
    return {
      ...seen,
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'PERIOD',
        message: `The policy of this paymaster sponsors nothing before ${utcTime(notBefore)}.`,
        details: { limit: 'notBefore', frees: `Set an earlier notBefore, or try again from ${utcTime(notBefore)} on.` },
        resetsAt: notBefore,
      },
    };
  }
  if (notAfter !== undefined && now >= notAfter) {
    return {
      ...seen,
      refusal: {
        reason: 'LIMIT_EXCEEDED',
        limitKind: 'PERIOD',
        message: `The policy of this paymaster has sponsored nothing since ${utcTime(notAfter)}.`,
        details: { limit: 'notAfter', frees: 'Set a later notAfter. The policy does not resume by itself.' },
      },
    };
  }
  return seen;
}
