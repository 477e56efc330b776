import { randomBytes } from 'node:crypto';

/** 256 bits in base64url. */
const form = /^tfs_[A-Za-z0-9_-]{43}$/;

/** The secret of a new session. The prefix makes it recognizable if it leaks into a log. */
export function generateSessionToken(): string {
  return `tfs_${randomBytes(32).toString('base64url')}`;
}

/** Whether the text has the form of a session's secret. */
export function isWellFormedSessionToken(text: string): boolean {
  return form.test(text);
}
