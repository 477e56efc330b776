import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../core/base/time/clock.ts';

/** How long a code is good for, in milliseconds: from the terminal to the browser. */
const validMs = 5 * 60_000;

/** A secret that is good once, and not for long; one at a time. It is kept as a digest, in memory alone. */
export type OneTimeCode = {
  /** A new one. The one before it is good no longer. */
  issue(): string;
  /** Whether this is the one, which it is no longer. Another changes nothing. */
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
