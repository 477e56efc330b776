import type { Secret } from '../../base/values/secret.ts';

/** A server and its database, for logs and errors: without user, password and parameters. */
export function describeServer(url: Secret<string>): string {
  try {
    const { host, pathname } = new URL(url.reveal());
    return `postgres://${host}${pathname}`;
  } catch {
    // If the URL is malformed, any part of it may be the password.
    return 'postgres://…';
  }
}
