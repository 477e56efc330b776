import type { Check, Finding } from './finding.ts';
import { findingsAbout } from './finding.ts';

/** How long one check may take, in milliseconds. */
const limitMs = 15_000;

/** Runs checks side by side, none longer than its limit, and answers what they found in their order. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map(runCheck));
  return found.flat();
}

async function runCheck({ about, run }: Check): Promise<readonly Finding[]> {
  const { failure } = findingsAbout(about);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<readonly Finding[]>((resolve) => {
    const message = `Check failed: no result within ${limitMs / 1_000} seconds.`;
    const late = failure(
      'check-timed-out',
      message,
      'Try again. If it fails again, check whether the other side or this machine is overloaded.',
    );
    timer = setTimeout(() => resolve([late]), limitMs);
  });
  try {
    return await Promise.race([run(), limit]);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'an error';
    return [
      failure(
        'check-failed',
        `Check failed: ${name}.`,
        'Fix the other findings of its chain first. If there are none, try again, then report it with your configuration.',
      ),
    ];
  } finally {
    clearTimeout(timer);
  }
}
