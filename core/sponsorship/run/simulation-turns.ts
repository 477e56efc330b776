import { type Result, refuse } from '../../domain/result/result.ts';
import type { Clock } from '../../domain/time/clock.ts';
import type { Asked } from './asked.ts';

/** Simulations at once, and those that wait for their turn. */
export const simulationLimits = {
  /** Enough for the requests that an address may make, where a node takes 300 ms for each. */
  atOnceOfClient: 16,
  atOnceOfPaymaster: 64,
  /** With those under way as many as a burst of requests. */
  waitingOfClient: 184,
  waitingOfPaymaster: 1_000,
  maxWaitMs: 10_000,
} as const;

/** Who has a simulation made: the address of a client, which internal callers have none of, and the paymaster. */
export type SimulationOwners = { readonly client: string | undefined; readonly paymaster: string };

/** Lets nobody occupy the nodes: neither one client address, nor one paymaster by many of them. */
export type SimulationTurns = {
  /** Runs `work` when it is its turn; refuses with `RATE_LIMITED` where too much of its client or paymaster waits already. */
  run<T>(owners: SimulationOwners, work: () => Promise<Result<T>>): Promise<Result<T>>;
};

type Owner = { running: number; waiting: number };
type Waiter = {
  readonly owners: readonly Counted[];
  readonly since: number;
  readonly begin: (mayRun: boolean) => void;
};
type Counted = { readonly name: string; readonly atOnce: number; readonly mayWait: number };

const tooMany = refuse({
  reason: 'RATE_LIMITED',
  message: 'Too many requests of this address or paymaster wait to be simulated. Send fewer at once, and later.',
});

export function createSimulationTurns(clock: Clock): SimulationTurns {
  const known = new Map<string, Owner>();
  const waiting = new Set<Waiter>();

  const of = ({ name }: Counted): Owner => known.get(name) ?? { running: 0, waiting: 0 };
  function change(owners: readonly Counted[], by: Partial<Owner>): void {
    for (const owner of owners) {
      const { running, waiting } = of(owner);
      const next = { running: running + (by.running ?? 0), waiting: waiting + (by.waiting ?? 0) };
      if (next.running + next.waiting === 0) known.delete(owner.name);
      else known.set(owner.name, next);
    }
  }
  const isFree = (owners: readonly Counted[]) => owners.every((owner) => of(owner).running < owner.atOnce);

  /** Begins all whose turn it is, in the order they came, and gives up those that have waited too long. */
  function serve(): void {
    for (const waiter of waiting) {
      const isLate = clock.now() - waiter.since > simulationLimits.maxWaitMs;
      if (!isLate && !isFree(waiter.owners)) continue;
      waiting.delete(waiter);
      change(waiter.owners, { waiting: -1, running: isLate ? 0 : 1 });
      waiter.begin(!isLate);
    }
  }

  function begin(owners: readonly Counted[]): boolean | Promise<boolean> {
    if (isFree(owners)) {
      change(owners, { running: 1 });
      return true;
    }
    if (owners.some((owner) => of(owner).waiting >= owner.mayWait)) return false;
    change(owners, { waiting: 1 });
    return new Promise((resolve) => waiting.add({ owners, since: clock.now(), begin: resolve }));
  }

  return {
    run: async (owners, work) => {
      const counted = countedOf(owners);
      if (!(await begin(counted))) return tooMany;
      try {
        return await work();
      } finally {
        change(counted, { running: -1 });
        serve();
      }
    },
  };
}

function countedOf({ client, paymaster }: SimulationOwners): readonly Counted[] {
  const { atOnceOfClient, atOnceOfPaymaster, waitingOfClient, waitingOfPaymaster } = simulationLimits;
  const ofPaymaster = { name: `paymaster ${paymaster}`, atOnce: atOnceOfPaymaster, mayWait: waitingOfPaymaster };
  if (client === undefined) return [ofPaymaster];
  return [{ name: `client ${client}`, atOnce: atOnceOfClient, mayWait: waitingOfClient }, ofPaymaster];
}

/** Simulates for a request when it is its turn. */
export function inTurn<T>(
  { parts, request, profile }: Asked & { readonly profile: { readonly paymaster: { readonly paymasterId: string } } },
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  return parts.simulations.run({ client: request.clientAddress, paymaster: profile.paymaster.paymasterId }, work);
}
