import type { Abi, Address, Hex } from 'viem';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevnetFamily, DevnetToken } from './devnet/devnet.ts';

/**
 * The EntryPoint version of the SDK's example programs, and of the default paymaster without `--entry-point`: the newest
 * that published account libraries support.
 */
export const defaultEntryPointVersion = '0.8' satisfies EntryPointVersion;

export type DevPaymaster = {
  readonly name: string;
  readonly chainId: number;
  readonly version: string;
  readonly apiKey: string;
  readonly paymasterId: string;
  /** JSON-RPC address, including the apiKey. */
  readonly rpcUrl: string;
  readonly entryPointVersion: EntryPointVersion;
  readonly entryPoint: Address;
  readonly contract: DevnetFamily;
  readonly address: Address;
  readonly fundingWallet: Address;
};

/** What a program needs to use a running `tollfree dev`, written to `dev.json`. */
export type DevFile = {
  readonly gatewayUrl: string;
  readonly adminUrl: string;
  /** A bundler for development, JSON-RPC. */
  readonly bundlerUrl: string;
  readonly grpcAddress: string;
  /** For `--core-token-file`, together with the address for `--core`. */
  readonly grpcTokenFile: string;
  readonly authToken: string;
  /** The first is the default. */
  readonly paymasters: readonly DevPaymaster[];
  readonly chain: {
    readonly chainId: number;
    readonly rpcUrl: string;
    readonly entryPoints: Readonly<Record<EntryPointVersion, Address>>;
    readonly accountFactories: Readonly<Record<EntryPointVersion, Address>>;
    readonly target: Address;
    readonly targetAbi: Abi;
    readonly tokens: readonly DevnetToken[];
    readonly fundedKeys: readonly Hex[];
  };
  /** The process ids of the service, and of the node if it was started here. */
  readonly pids: readonly number[];
};

/** Index of the funded key with which setup programs fill gas tanks: `tollfree dev` sends nothing with it. */
const fundingKeyNumber = 4;

/** The lines of `dev.env`, for `node --env-file` and similar: what the SDK's example programs need. */
export function describeEnvironment(dev: DevFile, ownerKey: Hex): string {
  const urlOf = (version: EntryPointVersion) =>
    dev.paymasters.find(({ entryPointVersion }) => entryPointVersion === version)?.rpcUrl ?? '';
  const [token] = dev.chain.tokens;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['NODE_URL', dev.chain.rpcUrl],
    ['CHAIN_ID', String(dev.chain.chainId)],
    ['BUNDLER_URL', dev.bundlerUrl],
    ['SERVICE_URL', dev.gatewayUrl],
    ['AUTH_TOKEN', dev.authToken],
    ['PAYMASTER_URL', urlOf(defaultEntryPointVersion)],
    ...entryPointVersions.map((version) => [`PAYMASTER_URL_${version.replace('.', '')}`, urlOf(version)] as const),
    ['CONTRACT', dev.chain.target],
    ['TOKEN', token?.address ?? ''],
    ['ACCOUNT_FACTORY', dev.chain.accountFactories[defaultEntryPointVersion]],
    ['OWNER_KEY', ownerKey],
    ['FUNDING_KEY', dev.chain.fundedKeys[fundingKeyNumber] ?? ''],
  ];
  const head = `# Written by a running \`tollfree dev\`, for development only. PAYMASTER_URL is for EntryPoint ${defaultEntryPointVersion}.`;
  return [head, ...lines.map(([name, value]) => `${name}=${value}`), ''].join('\n');
}
