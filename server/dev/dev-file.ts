import type { Abi, Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevnetFamily, DevnetToken } from './devnet/devnet.ts';

/** The default EntryPoint version: the newest that published account libraries support. */
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
  /** The first is the default: see `defaultEntryPointVersion`. */
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
