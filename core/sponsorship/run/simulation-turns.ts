import type { Clock } from '../../base/time/clock.ts';
import { type Result, refuse } from '../../domain/result/result.ts';

/** How many requests of an owner run at once, how many wait for their turn, and for how long. */
export type TurnLimits = {
  readonly atOnceOfClient: number;
  readonly atOnceOfAccount: number;
  readonly waitingOfClient: number;
  readonly waitingOfAccount: number;
  readonly maxWaitMs: number;
};

/** Of simulations. */
export const simulationLimits: TurnLimits = {
  /** Enough for the requests that an address may make, if a node takes 300 ms for each. */
  atOnceOfClient: 16,
  atOnceOfAccount: 64,
  /** Together with the running ones, as many as a burst of requests. */
  waitingOfClient: 184,
  waitingOfAccount: 1_000,
  maxWaitMs: 10_000,
};

/**
 *
 *
 * The owners of a simulation: the client's address (absent for internal callers), and the account on a chain, since each
 * chain has its own nodes.
 */
export type SimulationOwners = { readonly client: string | undefined; readonly account: string };

/** Prevents any single client address or account from occupying the nodes. */
export type SimulationTurns = {
  /** Runs `work` in turn; refuses with `RATE_LIMITED` if too many requests of its client or account are waiting. */
  run<T>(owners: SimulationOwners, work: () => Promise<Result<T>>): Promise<Result<T>>;
};

type Owner = { running: number; readonly waiting: Set<Waiter> };
type Waiter = {
  readonly owners: readonly Counted[];
  readonly since: number;
  readonly begin: (mayRun: boolean) => void;
};
type Counted = { readonly name: string; readonly atOnce: number; readonly mayWait: number };

/** `waitingFor` ends the refusal's sentence. */
export function createSimulationTurns(
  clock: Clock,
  limits: TurnLimits = simulationLimits,
  waitingFor = 'to be simulated',
): SimulationTurns {
  const tooMany = refuse({
    reason: 'RATE_LIMITED',
    message: `Too many requests of this address or account are waiting ${waitingFor}. Send fewer at once, and later.`,
  });
  const known = new Map<string, Owner>();

  function ownerOf({ name }: Counted): Owner {
    const owner = known.get(name) ?? { running: 0, waiting: new Set() };
    known.set(name, owner);
    return owner;
  }
  function forgetIdle(owners: readonly Counted[]): void {
    for (const { name } of owners) {
      const owner = known.get(name);
      if (owner?.running === 0 && owner.waiting.size === 0) known.delete(name);
    }
  }
  const isFree = (owners: readonly Counted[]) => owners.every((owner) => ownerOf(owner).running < owner.atOnce);
  function start(owners: readonly Counted[], by: 1 | -1): void {
    for (const owner of owners) ownerOf(owner).running += by;
  }

  function leave(waiter: Waiter): void {
    for (const owner of waiter.owners) ownerOf(owner).waiting.delete(waiter);
  }

  /**
   *
   *
   * Starts those whose turn it is, in order of arrival, and drops those that waited too long. Only waiters that share an
   * owner with the finished one can start; others, however many, are not visited.
   */
  function serve(ended: readonly Counted[]): void {
    for (const owner of ended) {
      for (const waiter of ownerOf(owner).waiting) {
        const isLate = clock.now() - waiter.since > limits.maxWaitMs;
        if (!isLate && !isFree(waiter.owners)) continue;
        leave(waiter);
        if (!isLate) start(waiter.owners, 1);
        waiter.begin(!isLate);
        forgetIdle(waiter.owners);
      }
    }
  }

  function begin(owners: readonly Counted[]): boolean | Promise<boolean> {
    if (isFree(owners)) {
      start(owners, 1);
      return true;
    }
    if (owners.some((owner) => ownerOf(owner).waiting.size >= owner.mayWait)) {
      forgetIdle(owners);
      return false;
    }
    return new Promise((resolve) => {
      const waiter = { owners, since: clock.now(), begin: resolve };
      for (const owner of owners) ownerOf(owner).waiting.add(waiter);
    });
  }

  return {
    run: async (owners, work) => {
      const counted = countedOf(owners, limits);
      if (!(await begin(counted))) return tooMany;
      try {
        return await work();
      } finally {
        start(counted, -1);
        serve(counted);
        forgetIdle(counted);
      }
    },
  };
}

function countedOf({ client, account }: SimulationOwners, limits: TurnLimits): readonly Counted[] {
  const { atOnceOfClient, atOnceOfAccount, waitingOfClient, waitingOfAccount } = limits;
  const ofAccount = { name: `account ${account}`, atOnce: atOnceOfAccount, mayWait: waitingOfAccount };
  if (client === undefined) return [ofAccount];
  return [{ name: `client ${client}`, atOnce: atOnceOfClient, mayWait: waitingOfClient }, ofAccount];
}
