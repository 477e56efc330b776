import type { Hex } from 'viem';
import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import { createSimulatedChain, type SimulatedChain } from '../chain/simulated-chain.ts';
import { createSimulatedNode, type NodeFaults } from '../chain/simulated-node.ts';
import type { IssuedSignature, ReadSoFar } from '../model/compare-books.ts';
import type { ExpectedMovement } from '../model/follow-in-model.ts';
import type { LedgerModel } from '../model/ledger-model.ts';
import { createLedgerModel } from '../model/ledger-model.ts';
import { type SimulatedService, startSimulatedService } from '../service/simulated-service.ts';
import { createSeededRandom, type SeededRandom } from '../world/seeded-random.ts';

/** What a client was given for terms: an operation that can land. */
export type SignedOperation = { readonly request: HoldRequest; readonly hash: Hex };

/** Everything of one simulated world. */
export type Simulation = {
  readonly random: SeededRandom;
  readonly chain: SimulatedChain;
  readonly client: ChainClient;
  readonly faults: NodeFaults;
  readonly service: SimulatedService;
  readonly model: LedgerModel;
  readonly readSoFar: ReadSoFar;
  /** What this step must have brought into the journal. */
  readonly journal: ExpectedMovement[];
  /** All amounts are multiples of it, in wei. */
  readonly unit: bigint;
  /** The one price of this world; no multiple of the unit has a worth that is rounded. */
  readonly usdMicrosPerCoin: bigint;
  /** The largest deposit, in units: in some worlds tanks are nearly always empty. */
  readonly maxDeposit: number;
  readonly signatures: Set<IssuedSignature>;
  /** What each terms would be signed as. */
  readonly terms: Map<string, SignedOperation>;
  /** What clients were really given. */
  readonly landable: Map<Hex, SignedOperation>;
  /** Requests that a client may send again. */
  readonly sent: HoldRequest[];
  /** Unix seconds. */
  now: number;
  serial: number;
  /** What the steps did, newest last. */
  readonly trace: string[];
};

/** Sunday, 29 November 2026, 22:00:00 UTC: near the end of a day, a week and a month. */
const startTime = Date.UTC(2026, 10, 29, 22) / 1_000;

/** Steps that a failure tells of. */
const maxTrace = 25;

export async function startSimulation(seed: number): Promise<Simulation> {
  const random = createSeededRandom(seed);
  const chain = createSimulatedChain(random, startTime);
  const { client, faults } = createSimulatedNode(chain, createSeededRandom(seed + 1));
  const time = { now: startTime };
  const service = await startSimulatedService({ client, clock: { now: () => time.now * 1_000 } });
  return {
    random,
    chain,
    client,
    faults,
    service,
    model: createLedgerModel(),
    readSoFar: { entries: 0, movements: 0, sums: new Map() },
    journal: [],
    ...random.pick(scales),
    maxDeposit: random.pick([60, 250]),
    signatures: new Set(),
    terms: new Map(),
    landable: new Map(),
    sent: [],
    get now() {
      return time.now;
    },
    set now(moment) {
      time.now = moment;
    },
    serial: 0,
    trace: [],
  };
}

/** Amounts from single wei to beyond 64 bits. */
const scales = [
  { unit: 1n, usdMicrosPerCoin: 3n * 10n ** 18n },
  { unit: 10n ** 18n, usdMicrosPerCoin: 2_000_000_000n },
] as const;

/** Notes what a step does, for a failure's message. */
export function tell(simulation: Simulation, what: string): void {
  simulation.trace.push(what);
  if (simulation.trace.length > maxTrace) simulation.trace.shift();
}

export function nextSerial(simulation: Simulation): number {
  simulation.serial += 1;
  return simulation.serial;
}

export function amountOf(simulation: Simulation, min: number, max: number): bigint {
  return BigInt(simulation.random.between(min, max)) * simulation.unit;
}
