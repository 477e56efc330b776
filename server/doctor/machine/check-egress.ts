import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { createAddressCheck, resolveHost } from '../../../core/webhooks/resolve-host.ts';
import type { Config } from '../../config/config-schema.ts';
import { type Check, type Finding, findingsAbout } from '../finding.ts';

/** Time limit of one name lookup, in milliseconds. */
const limitMs = 5_000;

/** Addresses that a webhook must not reach, with their meaning. */
const guarded: readonly (readonly [address: string, what: string])[] = [
  ['169.254.169.254', 'the metadata of the cloud machine, with its credentials'],
  ['127.0.0.1', 'every service of this machine, including its admin port'],
];

/** Resolves names: with this machine's hosts file, and with the name servers. Tests replace it. */
type NameReader = {
  isKnown(host: string): Promise<boolean>;
  /** The addresses from the name servers. */
  serve(host: string): Promise<readonly string[]>;
};

const systemNames: NameReader = {
  isKnown: (host) =>
    lookup(host).then(
      () => true,
      () => false,
    ),
  serve: (host) => resolveHost(host, AbortSignal.timeout(limitMs)),
};

/** Checks outgoing connections: the names in the configuration, and where webhooks may connect. */
export function checkEgress(config: Config, names: NameReader = systemNames): readonly Check[] {
  return [{ about: 'webhooks', run: async () => checkGuard(config) }, ...checkNames(config, names)];
}

function checkGuard({ webhooks, dashboard }: Config): readonly Finding[] {
  const find = findingsAbout('webhooks');
  const isAllowed = createAddressCheck(webhooks.allowedRanges);
  const reached = guarded.filter(([address]) => isAllowed(address));
  const isPublic = dashboard.publicUrl?.startsWith('https:') === true;
  return [
    ...reached.map(([address, what]) =>
      find[isPublic ? 'failure' : 'warning'](
        'webhook-guard',
        `allowedRanges lets account holders call ${address}: ${what}.`,
        'Limit webhooks.allowedRanges to the range of your own receivers.',
      ),
    ),
    ...(webhooks.allowHttp
      ? [
          find.warning(
            'webhook-http',
            'allowHttp allows decisive answers without TLS.',
            'Remove webhooks.allowHttp, unless the receivers are in your own network.',
          ),
        ]
      : []),
    ...(reached.length > 0
      ? []
      : [find.ok('webhook-guard', 'They reach public addresses, and the ranges that you allow.')]),
  ];
}

/** Nodes, bundlers and prices may be in the hosts file; webhooks only use the name servers. */
function checkNames(config: Config, names: NameReader): readonly Check[] {
  const hosts = new Set(urlsOf(config).map((url) => new URL(url).hostname.replace(/^\[|\]$/g, '')));
  return [...hosts]
    .filter((host) => isIP(host) === 0)
    .map((host) => ({ about: `name ${host}`, run: async () => [await checkName(host, names)] }));
}

async function checkName(host: string, names: NameReader): Promise<Finding> {
  const find = findingsAbout(`name ${host}`);
  const [isKnown, served] = await Promise.all([names.isKnown(host), names.serve(host)]);
  const remedy =
    'Check the name, and whether this machine reaches its name servers (/etc/resolv.conf, a firewall on port 53).';
  if (!isKnown) return find.failure('dns', 'It has no address.', remedy);
  if (served.length > 0) return find.ok('dns', 'It has an address.');
  const message = 'Only the hosts file knows its address. Webhooks use the name servers and would not find it.';
  return find.warning('dns-hosts-file', message, remedy);
}

function urlsOf({ chains = [], dashboard }: Config): readonly string[] {
  const ofChains = chains.flatMap(({ nodeUrls, bundler, nativePrice, tokens }) => [
    ...nodeUrls,
    ...(bundler?.url ?? []),
    ...[nativePrice, ...tokens.map(({ price }) => price)].flatMap(({ sources }) =>
      sources.flatMap((source) => (source.kind === 'http' ? [source.url] : [])),
    ),
  ]);
  return dashboard.publicUrl === undefined ? ofChains : [...ofChains, dashboard.publicUrl];
}
