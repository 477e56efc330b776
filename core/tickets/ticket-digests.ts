import { createHash } from 'node:crypto';

/**
 * Whose a ticket is, as it is kept: a digest of paymaster, `iss` (empty where the key names no issuer) and `sub`. It stays the same
 * when keys change, so that limits go on counting; who has the database and guesses a `sub` can check the guess.
 */
export function subjectDigest(whose: { readonly paymasterId: string; readonly issuer?: string; readonly sub: string }) {
  return `subject:${digest([whose.paymasterId, whose.issuer ?? '', whose.sub])}`;
}

/** Which ticket it is, as it is kept: the same of its `jti`. */
export function ticketDigest(which: { readonly paymasterId: string; readonly issuer?: string; readonly jti: string }) {
  return `ticket:${digest([which.paymasterId, which.issuer ?? '', which.jti])}`;
}

/** JSON keeps the parts apart, whatever is in them. */
function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
