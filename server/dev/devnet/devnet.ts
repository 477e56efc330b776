import type { Abi, Address, Hex } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { usualFamilies } from '../../paymaster-contract/usual-families.ts';
import type { DevnetClient } from './devnet-client.ts';

/** Families of paymaster contracts on a development chain, by EntryPoint version. */
export const devnetFamilies = usualFamilies;
export type DevnetFamily = (typeof devnetFamilies)[EntryPointVersion];

/** Forks whose gas prices a development chain can have: Osaka, as mainnet, and Amsterdam, as Ethereum's Sepolia. */
export const devForks = ['osaka', 'amsterdam'] as const;
export type DevFork = (typeof devForks)[number];

export type DevnetToken = { readonly symbol: string; readonly address: Address; readonly decimals: number };

/** A running development chain with everything that sponsored operations need. */
export type Devnet = {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly client: DevnetClient;
  readonly entryPoints: Readonly<Record<EntryPointVersion, Address>>;
  /** SimpleAccount factories. */
  readonly accountFactories: Readonly<Record<EntryPointVersion, Address>>;
  /** The published delegate for senders of EntryPoint 0.8 (EIP-7702). */
  readonly simple7702Account: Address;
  /** Deployed and staked, without a deposit. Their owner and signer is the given `paymasterSigner`. */
  readonly paymasterContracts: Readonly<Record<DevnetFamily, Address>>;
  /** One with 6 decimals, one with 18; anyone may call `mint(address,uint256)`. */
  readonly tokens: readonly DevnetToken[];
  readonly target: { readonly address: Address; readonly abi: Abi };
  /** Receives the tokens of token mode; owns one base unit of each. */
  readonly tokenRecipient: Address;
  /** Public private keys of accounts with plenty of coin. The first one pays for the deployments. */
  readonly fundedKeys: readonly Hex[];
  /** Whether the chain has the blocks of an earlier run. */
  readonly isKept: boolean;
  /** Process id of the node, when it was started here. */
  readonly pid?: number;
  /** Stops the node, when it was started here. */
  close(): Promise<void>;
};
