import { type GrpcAddress, isLocal, parseGrpcAddress } from '../../core/grpc/address.ts';
import { isAddressRange, parseHostAndPort } from '../config/value-schemas.ts';
import { valueAt } from './explain-issues.ts';
import type { FoundMistake } from './mistake.ts';

type Path = readonly string[];

/** The listening addresses of the services, with their defaults. */
const listeners: readonly { readonly path: Path; readonly fallback?: string }[] = [
  { path: ['gateway', 'listen'], fallback: '127.0.0.1:3000' },
  { path: ['gateway', 'adminListen'], fallback: '127.0.0.1:9464' },
  { path: ['grpc', 'listen'] },
];

/** Checks beyond the schema: settings that contradict each other, and what `tollfree node`, `core` and `gateway` need. */
export function compareSettings(whole: unknown): readonly FoundMistake[] {
  return [
    ...portsTwice(whole),
    ...openGrpc(whole),
    ...twoDatabases(whole),
    ...missingSections(whole),
    ...emptyChains(whole),
    ...wrongProxies(whole),
  ];
}

function portsTwice(whole: unknown): readonly FoundMistake[] {
  const opened: { readonly name: string; readonly host: string; readonly port: number }[] = [];
  return listeners.flatMap(({ path, fallback }) => {
    const given = valueAt(whole, path) ?? fallback;
    const address = typeof given === 'string' ? parseHostAndPort(given) : undefined;
    if (address === undefined || address.port === 0) return [];
    const other = opened.find(({ host, port }) => port === address.port && meet(host, address.host));
    const name = path.join('.');
    opened.push({ name, ...address });
    if (other === undefined) return [];
    const hint = `Give one of them another port, like ${address.host}:${address.port + 1}.`;
    return [{ id: 'port-twice', path, problem: `has the port ${address.port}, which ${other.name} has too`, hint }];
  });
}

/** Whether two hosts with the same port conflict. */
function meet(one: string, other: string): boolean {
  const everywhere = new Set(['0.0.0.0', '::']);
  return one === other || everywhere.has(one) || everywhere.has(other) || one === 'localhost' || other === 'localhost';
}

function twoDatabases(whole: unknown): readonly FoundMistake[] {
  const names = ['databaseFile', 'databaseUrl'];
  if (names.some((name) => valueAt(whole, [name]) === undefined)) return [];
  const hint = 'Remove one of them. `tollfree migrate` moves what is in a file to a server.';
  return [{ id: 'two-databases', path: ['databaseUrl'], problem: 'is set together with databaseFile', hint }];
}

/** Anyone with access to gRPC may do everything. */
function openGrpc(whole: unknown): readonly FoundMistake[] {
  const path = ['grpc', 'listen'];
  const address = readGrpcAddress(valueAt(whole, path));
  if (address === undefined || address.kind === 'unix' || valueAt(whole, ['grpc', 'tls']) !== undefined) return [];
  if (!isLocal(address)) {
    const hint = 'Set grpc.tls, or listen on a socket, like "unix:data/grpc/core.sock".';
    return [{ id: 'grpc-open', path, problem: 'can be reached from other machines and needs mutual TLS', hint }];
  }
  if (valueAt(whole, ['grpc', 'tokenFile']) !== undefined) return [];
  const hint = 'Set grpc.tokenFile or grpc.tls, or listen on a socket, like "unix:data/grpc/core.sock".';
  return [{ id: 'grpc-open', path, problem: 'can be reached by every user of this machine and needs a token', hint }];
}

function readGrpcAddress(given: unknown): GrpcAddress | undefined {
  try {
    return typeof given === 'string' ? parseGrpcAddress(given) : undefined;
  } catch {
    // The schema reports it.
    return undefined;
  }
}

/** Only a gateway uses a remote core; all other processes keep the ledger themselves. */
function missingSections(whole: unknown): readonly FoundMistake[] {
  if (valueAt(whole, ['core']) !== undefined) return [];
  return [valueAt(whole, ['databaseUrl']) === undefined ? 'databaseFile' : 'databaseUrl', 'masterKeyFile', 'chains']
    .filter((key) => valueAt(whole, [key]) === undefined)
    .map((key) => ({
      id: 'missing',
      path: [key],
      problem: 'is missing',
      hint: 'Only a gateway with core.address can omit it. `tollfree init` writes all of them.',
    }));
}

function emptyChains(whole: unknown): readonly FoundMistake[] {
  const chains = valueAt(whole, ['chains']);
  if (!Array.isArray(chains)) return [];
  return chains.flatMap((chain, index) => {
    const contracts = valueAt(chain, ['paymasterContracts']);
    if (!Array.isArray(contracts) || contracts.length > 0) return [];
    const hint = 'Create one: tollfree paymaster-contract deploy --write';
    return [
      {
        id: 'no-contract',
        path: ['chains', index, 'paymasterContracts'],
        problem: 'is empty, so nothing can be signed',
        hint,
      },
    ];
  });
}

function wrongProxies(whole: unknown): readonly FoundMistake[] {
  const path = ['gateway', 'trustedProxies'];
  const proxies = valueAt(whole, path);
  if (!Array.isArray(proxies)) return [];
  return proxies.flatMap((proxy, index) => {
    if (typeof proxy !== 'string' || isAddressRange(proxy)) return [];
    const hint = 'Like "10.0.0.1" or "10.0.0.0/8"; host names are not supported.';
    return [{ id: 'wrong-value', path: [...path, index], problem: 'must be an address or a CIDR range', hint }];
  });
}
