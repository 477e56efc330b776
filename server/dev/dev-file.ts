import type { Abi, Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { DevnetFamily, DevnetToken } from './devnet/devnet.ts';

/** The version that everything uses where none is named: the newest that published account libraries speak. */
export const defaultEntryPointVersion = '0.8' satisfies EntryPointVersion;

export type DevPaymaster = {
  readonly name: string;
  readonly chainId: number;
  readonly version: string;
  readonly apiKey: string;
  readonly paymasterId: string;
  /** JSON-RPC address with the apiKey in it. */
  readonly rpcUrl: string;
  readonly entryPointVersion: EntryPointVersion;
  readonly entryPoint: Address;
  /** Family of the paymaster contract. */
  readonly contract: DevnetFamily;
  readonly address: Address;
  readonly fundingWallet: Address;
};

/** What a program needs to use a running `tollfree dev`, as it is written to `dev.json`. */
export type DevFile = {
  readonly gatewayUrl: string;
  readonly adminUrl: string;
  /** A bundler for development, JSON-RPC. */
  readonly bundlerUrl: string;
  readonly grpcAddress: string;
  /** What `--core-token-file` takes next to `--core` with the address. */
  readonly grpcTokenFile: string;
  readonly authToken: string;
  /** The first is the one that everything uses where none is named: see `defaultEntryPointVersion`. */
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
  /** The service's process, and the node's when it was started here. */
  readonly pids: readonly number[];
};
