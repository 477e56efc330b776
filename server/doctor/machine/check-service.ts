import { counted } from '@tollfree/contract/counted';
import type { signUpModes } from '@tollfree/contract/sign-in/session';
import { z } from 'zod';
import type { Secret } from '../../../core/base/values/secret.ts';
import { inspectServer, readServerRows } from '../../../core/store/postgres/inspect-server.ts';
import type { Config } from '../../config/config-schema.ts';
import type { HostAndPort } from '../../config/value-schemas.ts';
import { systemClock } from '../../system-clock.ts';
import { type Check, type Finding, type FindingsAbout, findingsAbout } from '../finding.ts';
import { checkMasterKeys, digestsOf } from './check-database.ts';
import { checkPaymasters, type ReadRows } from './paymaster-findings.ts';

/** How long one answer may take, in milliseconds. */
const limitMs = 5_000;

const readinessSchema = z.object({
  ready: z.boolean(),
  parts: z.array(z.object({ part: z.string(), ready: z.boolean(), detail: z.string().optional() })),
});
const interfaceSchema = z.object({ info: z.object({ title: z.string(), version: z.string() }) });

/** Checks the running service: its own status, and whether its public URL leads to it. */
export function checkService(config: Config): readonly Check[] {
  return [{ about: 'service', run: () => lookAt(config, findingsAbout('service')) }];
}

async function lookAt({ gateway, dashboard, chains = [] }: Config, find: FindingsAbout): Promise<readonly Finding[]> {
  const admin = await ask(`http://${formatHost(gateway.adminListen)}/readyz`);
  if (admin === undefined) {
    const isTaken = await isAnswered(gateway.listen);
    return isTaken
      ? [taken('gateway.listen', gateway.listen, find)]
      : [find.ok('service', 'It is not running here, so it was not checked.')];
  }
  const readiness = readinessSchema.safeParse(admin.body);
  if (!readiness.success || !isService(readiness.data.parts))
    return [taken('gateway.adminListen', gateway.adminListen, find)];
  const others = otherChains(readiness.data.parts, chains);
  if (others.length > 0) {
    const message = `Another Tollfree service responds at gateway.adminListen (${formatHost(gateway.adminListen)}): it serves ${others.join(', ')}.`;
    return [find.failure('port-taken', message, 'Stop it, or give gateway.adminListen another port.')];
  }
  const faults = readiness.data.parts.filter(({ ready }) => !ready);
  const own = await readTitle(`http://${formatHost(gateway.listen)}`);
  if (own === undefined && (await isAnswered(gateway.listen))) return [taken('gateway.listen', gateway.listen, find)];
  // A service answers at both addresses, until it shuts down.
  if (own === undefined && readiness.data.ready) return [taken('gateway.adminListen', gateway.adminListen, find)];
  return [
    ...faults.map(({ part, detail }) =>
      find.warning(
        'service-part',
        `It reports for ${part}: ${detail ?? 'not ready'}.`,
        'Fix the related findings here. Its log has the cause.',
      ),
    ),
    ...(faults.length === 0 ? [find.ok('service', 'It is running and ready.')] : []),
    ...(dashboard.publicUrl === undefined ? [] : [await checkPublicUrl(dashboard.publicUrl, own, find)]),
  ];
}

/** Whether a readiness report is a gateway's: other programs may answer in the same form, but do not name its parts. */
function isService(parts: readonly { readonly part: string }[]): boolean {
  return parts.some(({ part }) => /^(gateway|core|store|ledger|chain \d+)\b/.test(part));
}

async function isAnswered(at: HostAndPort): Promise<boolean> {
  return (await ask(`http://${formatHost(at)}/livez`)) !== undefined;
}

function taken(setting: string, at: HostAndPort, find: FindingsAbout): Finding {
  const message = `Another program responds at ${setting} (${formatHost(at)}).`;
  return find.failure('port-taken', message, `Stop it, or give ${setting} another port.`);
}

/** Chains that the service reports but the configuration lacks. A gateway's own configuration has no chains. */
function otherChains(
  parts: readonly { readonly part: string }[],
  chains: readonly { readonly chainId: number }[],
): readonly string[] {
  const reported = parts.flatMap(({ part }) => (/^chain \d+$/.test(part) ? [part] : []));
  return chains.length === 0
    ? []
    : reported.filter((part) => !chains.some(({ chainId }) => part === `chain ${chainId}`));
}

async function checkPublicUrl(publicUrl: string, own: string | undefined, find: FindingsAbout): Promise<Finding> {
  const there = await readTitle(publicUrl);
  const remedy =
    'Check the name, the TLS proxy in front of gateway.listen, and whether this machine can reach itself from outside.';
  if (there === undefined) return find.warning('public-url', `${publicUrl} does not lead to this service.`, remedy);
  if (there !== own) return find.warning('public-url', `${publicUrl} leads to another service.`, remedy);
  return find.ok('public-url', `${publicUrl} leads to this service.`);
}

/** The API's title with its version; undefined if the service does not answer. */
async function readTitle(origin: string): Promise<string | undefined> {
  const document = interfaceSchema.safeParse((await ask(new URL('/openapi.json', origin).href))?.body);
  return document.success ? `${document.data.info.title} ${document.data.info.version}` : undefined;
}

async function ask(url: string): Promise<{ readonly body: unknown } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(limitMs), redirect: 'manual' });
    return { body: await response.json().catch(() => undefined) };
  } catch {
    return undefined;
  }
}

/** A wildcard host is asked on loopback. */
function formatHost({ host, port }: HostAndPort): string {
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return asked.includes(':') ? `[${asked}]:${port}` : `${asked}:${port}`;
}

/** Checks a PostgreSQL database without changing it: that it opens, and its schema. */
export async function checkServer(url: Secret<string>, config: Config): Promise<readonly Finding[]> {
  const find = findingsAbout('database');
  try {
    const { server, schemaVersion, newestVersion, masterKeys } = await inspectServer(url);
    if (schemaVersion === 0)
      return [find.ok('database', `${server} is empty. Its tables are created when the service starts.`)];
    const isNewest = schemaVersion === newestVersion;
    const rest = isNewest ? '' : `, and is migrated to ${newestVersion} when the service starts`;
    const readRows: ReadRows = (statement) => readServerRows(url, statement);
    const paymasters = isNewest
      ? await checkPaymasters(readRows, { database: 'postgres', config, now: systemClock.now() })
      : [];
    return [
      find.ok('database', `${server} has schema version ${schemaVersion}${rest}.`),
      ...checkMasterKeys(masterKeys, digestsOf(config), find),
      ...paymasters,
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
    `client address: ${counted(requestsPerSecond, 'request')} a second and ${counted(holds.maxOpenHoldsPerClient, 'open operation')}.`;
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
