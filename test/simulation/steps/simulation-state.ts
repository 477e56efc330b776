import type { Hex } from 'viem';
import type { HoldRequest } from '../../../core/ledger/holds/hold-request.ts';
import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import type { OperationGas } from '../chain/operation-gas.ts';
import type { SimulatedChain } from '../chain/simulated-chain.ts';
import type { SimulatedNode } from '../chain/simulated-node.ts';
import type { IssuedSignature, ReadSoFar } from '../model/compare-ledger.ts';
import type { ExpectedMovement } from '../model/follow-in-model.ts';
import type { LedgerModel, ModelOutcome } from '../model/ledger-model.ts';
import type { CrashSwitch } from '../service/crashing-store.ts';
import type { SimulatedService } from '../service/simulated-service.ts';

/** Requests that are being decided, and what the model says to them once they are committed. */
export type Asked = { readonly requests: readonly HoldRequest[]; expected: readonly ModelOutcome[] | undefined };

/** What a client was given for terms: an operation that can land. */
export type SignedOperation = { readonly request: HoldRequest; readonly hash: Hex; readonly gas: OperationGas };

/** Everything of one simulated world. */
export type Simulation = {
  readonly random: SeededRandom;
  readonly chain: SimulatedChain;
  /** The chain's nodes, the preferred one first, and what the service asks them with. */
  readonly nodes: readonly SimulatedNode[];
  readonly service: SimulatedService;
  readonly model: LedgerModel;
  readonly readSoFar: ReadSoFar;
  /** What this step must have brought into the journal. */
  readonly journal: ExpectedMovement[];
  /** All deposits are multiples of it, in wei. */
  readonly unit: bigint;
  /** Most gas in one limit, and the least that a gas costs, in wei: 30 units is the most that all of it comes to. */
  readonly maxGas: number;
  readonly gasPrice: bigint;
  /** The one price of this world; no amount has a worth that is rounded. */
  readonly usdMicrosPerCoin: bigint;
  /** The largest deposit, in units: in some worlds tanks are nearly always empty. */
  readonly maxDeposit: number;
  readonly signatures: Set<IssuedSignature>;
  /** What each terms would be signed as. */
  readonly terms: Map<string, SignedOperation>;
  /** What clients were really given. */
  readonly landable: Map<Hex, SignedOperation>;
  /** What is being asked, by the switch of the process that is asked. */
  readonly asked: Map<CrashSwitch, Asked>;
  /** What did not agree when something was committed: it is no business of the service. */
  readonly problems: unknown[];
  /** Requests that a client may send again. */
  readonly sent: HoldRequest[];
  /** Unix seconds, as it really is. */
  now: number;
  /** By how much the service's clock is ahead of that, in seconds; negative when it is behind. */
  skew: number;
  serial: number;
  /** What the steps did, newest last. */
  readonly trace: string[];
};

/** Steps that a failure tells of. */
const maxTrace = 25;

/** Notes what a step does, for a failure's message. */
export function tell(simulation: Simulation, what: string): void {
  simulation.trace.push(what);
  if (simulation.trace.length > maxTrace) simulation.trace.shift();
}

export function nextSerial(simulation: Simulation): number {
  simulation.serial += 1;
  return simulation.serial;
}

/** What the service takes for the time, in Unix seconds. */
export function serviceTime({ now, skew }: Simulation): number {
  return now + skew;
}

export function amountOf(simulation: Simulation, min: number, max: number): bigint {
  return BigInt(simulation.random.between(min, max)) * simulation.unit;
}
