import type { AttemptOutcome } from './due-deliveries.ts';

/** What an HTTP status says of a message: any 2xx accepts it. */
export function judgeStatus(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return { delivered: true, status };
  const redirect = status >= 300 && status < 400;
  return {
    delivered: false,
    status,
    problem: redirect ? `answered ${status}, and redirects are not followed` : `answered ${status}`,
    outage: status >= 500 || status === 429,
  };
}
