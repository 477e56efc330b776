import { type Address, getAddress, type Hex, parseEther } from 'viem';
import { Secret } from '../../core/base/values/secret.ts';
import type { HotWalletStatus } from '../../core/domain/chain-config.ts';
import { type HotWallet, openHotWallet } from '../../core/evm/signer/open-keystore.ts';
import { readLatestTransfers, readSentInDay, type Transfer } from '../../core/ledger/hot-wallet/transfers.ts';
import { createNodeClients } from '../../core/node/chain-client.ts';
import type { HotWalletParts, RefillTarget } from '../../core/runtime/hot-wallet/hot-wallet-parts.ts';
import { refillTurn } from '../../core/runtime/hot-wallet/start-refilling.ts';
import type { Store } from '../../core/store/store.ts';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { depositOf } from '../support/chain/chain-lab.ts';
import { openLedger } from '../support/core/ledger-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

export const version = '0.8';
export const ether = parseEther;

/** A hot wallet on a chain, with a store and a time of its own, as the process that leads works with it. */
export type HotWalletLab = {
  readonly store: Store;
  readonly wallet: HotWallet;
  readonly key: Hex;
  /** The executor and the paymaster contract that are topped up. */
  readonly executor: Address;
  readonly contract: Address;
  /** One turn of a process, which knows only what is in the store; `over` changes what it works with. */
  turn(over?: Partial<HotWalletParts>): Promise<HotWalletStatus & { readonly text?: string }>;
  /** The transfers so far, the oldest first. */
  transfers(): Promise<readonly Transfer[]>;
  sentInDay(): Promise<bigint>;
  executorBalance(): Promise<bigint>;
  deposit(): Promise<bigint>;
  setTarget(wei: bigint): Promise<void>;
  /** Lets time pass, in seconds. */
  pass(seconds: number): void;
  mine(blocks: number): Promise<void>;
  close(): Promise<void>;
};

export const executorRule = { below: ether('1'), to: ether('3') };
export const depositRule = { below: ether('2'), to: ether('5') };

export async function openHotWalletLab(
  devnet: Devnet,
  { nodeUrls = [devnet.rpcUrl] }: { readonly nodeUrls?: readonly string[] } = {},
): Promise<HotWalletLab> {
  const { store, close } = await openLedger();
  const key = freshKey();
  const wallet = await openHotWallet({ kind: 'raw', privateKey: new Secret(key) });
  const executor = (await openHotWallet({ kind: 'raw', privateKey: new Secret(freshKey()) })).address;
  const contract = getAddress(devnet.paymasterContracts[devnetFamilies[version]]);
  await devnet.client.setBalance({ address: wallet.address, value: ether('100') });
  const { chainId, client } = devnet;
  const nodes = createNodeClients({ chainId, name: 'lab', nodeUrls, callTimeoutMs: 20_000, pollIntervalMs: 100 });
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no node.');
  let passed = 0;
  const targets: readonly RefillTarget[] = [{ target: executor, rule: executorRule }];
  const parts: HotWalletParts = {
    chainId,
    nodes,
    client: first,
    store,
    wallet,
    targets,
    confirmations: 2,
    maxPerDay: ether('10'),
    clock: { now: () => Date.now() + passed * 1_000 },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  };
  return {
    store,
    wallet,
    key,
    executor,
    contract,
    turn: (over) => refillTurn({ ...parts, ...over }),
    transfers: async () => (await readLatestTransfers(store.db, chainId, 100)).toReversed(),
    sentInDay: () => readSentInDay(store.db, chainId, Math.floor(parts.clock.now() / 1_000)),
    executorBalance: () => client.getBalance({ address: executor }),
    deposit: () => depositOf(devnet, version, contract),
    setTarget: (value) => client.setBalance({ address: executor, value }),
    pass: (seconds) => {
      passed += seconds;
    },
    mine: (blocks) => client.mine({ blocks }),
    close,
  };
}
