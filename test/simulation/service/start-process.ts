import type { Clock } from '../../../core/base/time/clock.ts';
import type { Core } from '../../../core/domain/core.ts';
import { createHoldQueue, type HoldQueue } from '../../../core/ledger/holds/hold-queue.ts';
import {
  createSignatureRecorder,
  type SignatureRecorder,
} from '../../../core/ledger/operation-status/record-signatures.ts';
import { manageBudgets } from '../../../core/management/manage-budgets.ts';
import { managePolicies } from '../../../core/management/policies/manage-policies.ts';
import type { ChainWatcher } from '../../../core/node/followed-chain.ts';
import { startChainWatcher } from '../../../core/runtime/chain-watcher.ts';
import type { Store } from '../../../core/store/store.ts';
import { silentLogger } from '../../support/logging/recording-logger.ts';
import type { NodeClients } from '../chain/node-clients.ts';
import { chainId, confirmations, type SimulatedContract, watchedContracts } from '../world/world.ts';
import { type CrashSwitch, createCrashingStore } from './crashing-store.ts';
import type { ObservedLedger } from './observed-ledger.ts';

/** What a process has just committed, which its switch tells from others: the ledger as they are now, and whether it was a batch of holds. */
export type Committed = { readonly by: CrashSwitch; readonly observed: ObservedLedger; readonly isBatch: boolean };

/** The parts of one process, as the service puts them together. */
export type RunningService = {
  readonly crash: CrashSwitch;
  /** What it asks the chain's nodes with, and has been told by them. */
  readonly clients: NodeClients;
  /** The paymaster contracts of its configuration. */
  readonly configured: readonly SimulatedContract[];
  readonly store: Store;
  readonly holds: HoldQueue;
  readonly signatures: SignatureRecorder;
  readonly watcher: ChainWatcher;
  /** Has a second one follow the same ledger, as no other process should. */
  startSecondWatcher(): ChainWatcher;
  readonly policies: Pick<Core, 'setPolicy'>;
  readonly budgets: Pick<Core, 'createBudget' | 'replaceBudget' | 'deleteBudget'>;
  /** Reads the same file by itself. */
  readonly observed: ObservedLedger;
};

/** Puts the parts of a process together on its store, as the service does. */
export function startProcess(
  real: Store,
  parts: {
    readonly connect: () => NodeClients;
    readonly clock: Clock;
    readonly crash: CrashSwitch;
    readonly observed: ObservedLedger;
    readonly onCommit: (committed: Committed) => void;
    readonly startBlock: number;
    readonly configured: readonly SimulatedContract[];
  },
): RunningService {
  const { clock, crash, observed, configured } = parts;
  const clients = parts.connect();
  const store = createCrashingStore(real, crash);
  const signatures = createSignatureRecorder(store, clock, silentLogger);
  let isBatch = false;
  const noteBatch = async () => {
    isBatch = true;
    return () => {};
  };
  crash.onCommit(() => {
    parts.onCommit({ by: crash, observed, isBatch });
    isBatch = false;
  });
  const watch = (): ChainWatcher =>
    startChainWatcher({
      chainId,
      ...clients,
      watched: watchedContracts(configured),
      confirmations,
      // Its timer never fires: the simulation says when it looks.
      pollIntervalMs: 3_600_000,
      startBlock: BigInt(parts.startBlock),
      store,
      clock,
      logger: silentLogger,
    });
  return {
    crash,
    clients,
    configured,
    store,
    observed,
    signatures,
    holds: createHoldQueue(store, clock, [{ alsoWrite: noteBatch }]),
    policies: managePolicies({
      store,
      profiles: { ...noProfiles, isCurrent: () => true, forget() {}, forgetAll() {} },
      clock,
      coinPrice: async () => undefined,
      config: { validity: { defaultSeconds: 300, minSeconds: 30, maxSeconds: 600 }, chains: [] },
    }),
    budgets: manageBudgets({ store, clock }),
    watcher: watch(),
    startSecondWatcher: watch,
  };
}

const noProfiles = {
  find: () => Promise.resolve(undefined),
  choose: async () => undefined,
  findById: () => Promise.resolve(undefined),
};
