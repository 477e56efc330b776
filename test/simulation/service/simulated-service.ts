import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Core } from '../../../core/domain/core.ts';
import type { Clock } from '../../../core/domain/time/clock.ts';
import { createHoldQueue, type HoldQueue } from '../../../core/ledger/holds/hold-queue.ts';
import { createSignatureRecorder, type SignatureRecorder } from '../../../core/ledger/holds/record-signatures.ts';
import { ensureContractTotals } from '../../../core/ledger/posting/ensure-contract-totals.ts';
import { managePolicies } from '../../../core/management/policies/manage-policies.ts';
import type { ChainWatcher } from '../../../core/node/chain-watcher.ts';
import { startChainWatcher } from '../../../core/runtime/chain-watcher.ts';
import { openStore } from '../../../core/store/open-store.ts';
import type { Store } from '../../../core/store/store.ts';
import { insertPaymaster } from '../../support/core/ledger-lab.ts';
import type { NodeClients } from '../chain/node-clients.ts';
import { accountId, chainId, type SimulatedContract, tenants, watchedContracts } from '../world/world.ts';
import { type CrashSwitch, createCrashingStore, createCrashSwitch } from './crashing-store.ts';
import { type ObservedBooks, observeBooks } from './observed-books.ts';

/** Blocks that must stand on an event before it is in the books. */
export const confirmations = 3;

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** What a process has just committed: the books as they are now, and whether it was a batch of holds. */
export type Committed = { readonly observed: ObservedBooks; readonly isBatch: boolean };

/** The parts of one process, as the service puts them together. */
export type RunningService = {
  readonly crash: CrashSwitch;
  /** The paymaster contracts of its configuration. */
  readonly configured: readonly SimulatedContract[];
  readonly store: Store;
  readonly holds: HoldQueue;
  readonly signatures: SignatureRecorder;
  readonly watcher: ChainWatcher;
  readonly policies: Pick<Core, 'setPolicy'>;
  /** Reads the same file by itself. */
  readonly observed: ObservedBooks;
};

/** A service that can be stopped, killed and started again on what its file had at that moment. */
export type SimulatedService = {
  running(): RunningService;
  /** Starts anew on the file that the process that died has left. */
  restartAfterDeath(): Promise<void>;
  /** Stops in order and starts again, with these paymaster contracts in its configuration. */
  restart(configured: readonly SimulatedContract[]): Promise<void>;
  close(): Promise<void>;
};

export async function startSimulatedService(parts: {
  readonly clients: NodeClients;
  readonly clock: Clock;
  /** Called at once after each transaction, before anything else happens. */
  readonly onCommit: (committed: Committed) => void;
  /** The first block that is read. */
  readonly startBlock: number;
  readonly configured: readonly SimulatedContract[];
}): Promise<SimulatedService> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tollfree-simulation-'));
  let generation = 0;
  const fileOf = (number: number): string => join(folder, `${number}.db`);
  emptyBooks ??= createBooks(join(folder, 'empty.db'));
  writeFileSync(fileOf(0), await emptyBooks);
  let running = await start(parts.configured);

  async function start(configured: readonly SimulatedContract[]): Promise<RunningService> {
    const file = fileOf(generation);
    const crash = createCrashSwitch(() => copyAsKilled(file, fileOf(generation + 1)));
    const store = await openStore(file);
    await ensureContractTotals(
      store,
      configured.map(({ address }) => ({ chainId, address })),
    );
    return startProcess(store, { ...parts, configured, crash, observed: observeBooks(file) });
  }

  return {
    running: () => running,
    restartAfterDeath: async () => {
      await stop(running);
      for (const end of ['', '-wal', '-shm']) rmSync(`${fileOf(generation)}${end}`, { force: true });
      generation += 1;
      running = await start(running.configured);
    },
    restart: async (configured) => {
      await running.signatures.close();
      await stop(running);
      running = await start(configured);
    },
    close: async () => {
      await stop(running);
      rmSync(folder, { recursive: true });
    },
  };
}

function startProcess(
  real: Store,
  parts: {
    readonly clients: NodeClients;
    readonly clock: Clock;
    readonly crash: CrashSwitch;
    readonly observed: ObservedBooks;
    readonly onCommit: (committed: Committed) => void;
    readonly startBlock: number;
    readonly configured: readonly SimulatedContract[];
  },
): RunningService {
  const { clients, clock, crash, observed, configured } = parts;
  const store = createCrashingStore(real, crash);
  const signatures = createSignatureRecorder(store, clock, silent);
  let isBatch = false;
  const noteBatch = async () => {
    isBatch = true;
    return () => {};
  };
  crash.onCommit(() => {
    parts.onCommit({ observed, isBatch });
    isBatch = false;
  });
  return {
    crash,
    configured,
    store,
    observed,
    signatures,
    holds: createHoldQueue(store, clock, [signatures, { ride: noteBatch }]),
    policies: managePolicies({
      store,
      profiles: { ...noProfiles, forget() {} },
      clock,
      coinPrice: async () => undefined,
    }),
    watcher: startChainWatcher({
      chainId,
      ...clients,
      watched: watchedContracts(configured),
      confirmations,
      // Its timer never fires: the simulation says when it looks.
      pollIntervalMs: 3_600_000,
      startBlock: BigInt(parts.startBlock),
      store,
      clock,
      logger: silent,
    }),
  };
}

const noProfiles = {
  find: () => Promise.resolve(undefined),
  findById: () => Promise.resolve(undefined),
};

async function stop({ watcher, store, observed }: RunningService): Promise<void> {
  await watcher.close();
  observed.close();
  await store.close();
}

/** What a kill leaves: the file and its write-ahead log; what was not committed is in neither. */
function copyAsKilled(from: string, to: string): void {
  for (const end of ['', '-wal']) if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`);
}

/** The same for all worlds. */
let emptyBooks: Promise<Uint8Array> | undefined;

/** The content of a new file with the simulated tenants. */
async function createBooks(file: string): Promise<Uint8Array> {
  const store = await openStore(file);
  for (const { paymasterId } of tenants) await insertPaymaster(store, { paymasterId, accountId });
  await store.close();
  return readFileSync(file);
}
