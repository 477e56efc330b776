import type { CallTerms } from './begin-call.ts';
import { NoReachableAddressError } from './guarded-connector.ts';

/**
 * What only the other side brings about: it is not there, or breaks off. `EMFILE` and the like are ours, and how long an answer is
 * may be up to the caller's data, which some applications send back.
 */
const codes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'INFORMATIONAL_FLOOD', 'EPROTO'],
]);
const tlsCodes = /^(ERR_TLS_|ERR_SSL_)|CERT|SIGNATURE|ISSUER/;
const timeCodes: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** Whether a call failed by the other side's doing. What is not known to be is not. */
export function isServerFailure(error: unknown, own: Pick<CallTerms, 'lostTime'>): boolean {
  if (!(error instanceof Error)) return false;
  // Looking up its name takes time as well.
  if (error instanceof NoReachableAddressError) return error.isUnreported && !own.lostTime();
  if (error.name === 'TimeoutError') return !own.lostTime();
  if (error.name === 'HTTPParserError') return true;
  // A name with several addresses fails with what each of them failed with.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every((one) => isServerFailure(one, own));
  }
  const { code = '' }: NodeJS.ErrnoException = error;
  if (timeCodes.has(code)) return !own.lostTime();
  return codes.has(code) || tlsCodes.test(code);
}
