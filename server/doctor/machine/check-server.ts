import type { signUpModes } from '@tollfree/contract/sign-in/session';
import type { Secret } from '../../../core/base/values/secret.ts';
import { inspectServer } from '../../../core/store/postgres/inspect-server.ts';
import type { Config } from '../../config/config-schema.ts';
import { type Finding, findingsAbout } from '../finding.ts';
import { checkMasterKeys } from './check-master-key.ts';

/** Checks a PostgreSQL database without changing it: that it opens, and its schema. */
export async function checkServer(
  url: Secret<string>,
  keys: readonly string[] | undefined,
): Promise<readonly Finding[]> {
  const find = findingsAbout('database');
  try {
    const { server, schemaVersion, newestVersion, masterKeys } = await inspectServer(url);
    if (schemaVersion === 0)
      return [find.ok('database', `${server} is empty. Its tables are created when the service starts.`)];
    const rest = schemaVersion === newestVersion ? '' : `, and is migrated to ${newestVersion} when the service starts`;
    return [
      find.ok('database', `${server} has schema version ${schemaVersion}${rest}.`),
      ...checkMasterKeys(masterKeys, keys, find),
    ];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'It cannot be opened.';
    return [
      find.failure('database-unreadable', message, 'Fix what the message names, in databaseUrl or at the server.'),
    ];
  }
}

/** Checks whether clients can be distinguished: the service has no TLS, so an https URL means that there is a proxy. */
export function checkProxies({ dashboard, gateway, holds }: Config): readonly Finding[] {
  if (dashboard.publicUrl?.startsWith('https:') !== true || gateway.trustedProxies.length > 0) return [];
  const { requestsPerSecond } = gateway.limits;
  const message =
    'gateway.trustedProxies is empty, but a proxy answers dashboard.publicUrl. All users behind it share the limits of one ' +
    `client address: ${requestsPerSecond} requests a second and ${holds.maxOpenHoldsPerClient} open operations.`;
  const remedy = 'Set gateway.trustedProxies to the addresses of the proxy, like ["127.0.0.1"].';
  return [findingsAbout('proxies').warning('proxies-untold', message, remedy)];
}

/** Checks who gets an account without the operator. */
export function checkSignUp({ dashboard }: Config): readonly Finding[] {
  const { publicUrl, signUp } = dashboard;
  const find = findingsAbout('sign-up');
  if (publicUrl !== undefined) return [find.ok('sign-up', `${describeSignUp(signUp)}.`)];
  if (signUp === 'closed') return [find.ok('sign-up', 'Browser sign-in is off.')];
  const message = `dashboard.signUp is ${signUp}, but without dashboard.publicUrl no one can sign in.`;
  const remedy = 'Set dashboard.publicUrl to the dashboard’s public URL, or remove dashboard.signUp.';
  return [find.warning('sign-up-nowhere', message, remedy)];
}

type SignUpMode = (typeof signUpModes)[number];

const meanings: Readonly<Record<SignUpMode, string>> = {
  open: 'every wallet that signs in gets an account',
  invited: 'a wallet gets an account by signing in once it is invited (tollfree account create --wallet)',
  closed: 'no wallet gets an account by signing in; the operator creates accounts (tollfree account create)',
};

/** Who gets an account by signing in, in words: what `dashboard.signUp` says. */
export function describeSignUp(mode: SignUpMode): string {
  return `Sign-up is ${mode}: ${meanings[mode]}`;
}
