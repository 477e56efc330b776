import { type Address, parseAbiItem } from 'viem';
import { biconomyBalances } from '../../../core/evm/paymaster-contracts/biconomy/biconomy-balances.ts';
import type { Watched, WatchedContract } from '../../../core/node/followed-chain.ts';
import { numberedAddress } from '../../support/core/ledger-lab.ts';

/** The fixed parts of every simulated world: one chain, two EntryPoints, four paymaster contracts, seven tenants. */
export const chainId = 31_337;
export const entryPoints = [numberedAddress(0xe6), numberedAddress(0xe7)] as const;
export const accountId = '20000000-0000-4000-8000-000000000001';

/** Blocks that must stand on an event before it is in the ledger. */
export const confirmations = 3;

export type SimulatedContract = {
  readonly address: Address;
  readonly entryPoint: Address;
  /** It keeps a balance for each customer. */
  readonly keepsBalances: boolean;
  /** It tells what users pay it in tokens, and of a sponsored operation that there was no token. */
  readonly takesTokens?: true;
};

/** The event of contracts that take tokens. */
export const tokenPaymentEvent = parseAbiItem(
  'event TokensTaken(bytes32 indexed userOperationHash, address indexed token, uint256 amount)',
);

const [older, newer] = entryPoints;

export const contracts: readonly [SimulatedContract, ...SimulatedContract[]] = [
  { address: numberedAddress(0xc1), entryPoint: newer, keepsBalances: false },
  { address: numberedAddress(0xc2), entryPoint: newer, keepsBalances: false, takesTokens: true },
  { address: numberedAddress(0xc3), entryPoint: older, keepsBalances: false },
  { address: numberedAddress(0xc4), entryPoint: older, keepsBalances: true },
];

export type Tenant = {
  readonly paymasterId: string;
  readonly contract: SimulatedContract;
  readonly wallet: Address;
};

export const wallets = [1, 2, 3].map(numberedAddress);
/** The key that signs for all contracts. */
export const signingKey = numberedAddress(0x51);
export const senders = [0xa1, 0xa2, 0xa3, 0xa4].map(numberedAddress);

/** Tenants share contracts, and the first and the third one even their tank. */
export const tenants: readonly Tenant[] = [
  tenant(1, 0, 1),
  tenant(2, 0, 2),
  tenant(3, 0, 1),
  tenant(4, 1, 1),
  tenant(5, 2, 3),
  tenant(6, 3, 1),
  tenant(7, 3, 2),
];

/** What the watcher is told of these contracts, by EntryPoint. */
export function watchedContracts(configured: readonly SimulatedContract[]): readonly Watched[] {
  return entryPoints
    .map((entryPoint) => ({ entryPoint, contracts: watchedAt(configured, entryPoint) }))
    .filter((watched) => watched.contracts.length > 0);
}

function watchedAt(configured: readonly SimulatedContract[], entryPoint: Address): readonly WatchedContract[] {
  return configured
    .filter((contract) => contract.entryPoint === entryPoint)
    .map(({ address, keepsBalances, takesTokens }) => ({
      address,
      ...(keepsBalances ? { customers: biconomyBalances } : {}),
      ...(takesTokens ? { tokenPaymentEvents: [tokenPaymentEvent] } : {}),
    }));
}

export function contractAt(address: Address): SimulatedContract {
  const found = contracts.find((contract) => contract.address === address);
  if (found === undefined) throw new Error(`There is no contract ${address} in the simulation.`);
  return found;
}

/** One text for a tank, for maps. */
export function tankName(contract: Address, wallet: Address): string {
  return `${contract}/${wallet}`;
}

function tenant(number: number, contract: number, wallet: number): Tenant {
  return {
    paymasterId: `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    contract: contracts[contract] ?? contracts[0],
    wallet: numberedAddress(wallet),
  };
}
