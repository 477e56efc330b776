import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../core/base/time/clock.ts';

/** Lifetime of a code in milliseconds: from the terminal to the browser. */
const validMs = 5 * 60_000;

/** A short-lived secret that works once; one at a time. Only its digest is kept, in memory. */
export type OneTimeCode = {
  /** Issues a new one, which invalidates the previous one. */
  issue(): string;
  /** Whether this is the current code, which is then used up. A wrong one changes nothing. */
  take(code: string): boolean;
};

export function createOneTimeCode(clock: Clock): OneTimeCode {
  let open: { readonly digest: Buffer; readonly until: number } | undefined;
  return {
    issue() {
      const code = randomBytes(32).toString('base64url');
      open = { digest: digestOf(code), until: clock.now() + validMs };
      return code;
    },
    take(code) {
      if (open === undefined || clock.now() >= open.until || !timingSafeEqual(digestOf(code), open.digest))
        return false;
      open = undefined;
      return true;
    },
  };
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
