import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Secret } from '../base/values/secret.ts';
import { formatGrpcAddress, type GrpcAddress, parseGrpcAddress } from './address.ts';
import type { UnaryMethod } from './bridge.ts';
import { type CallTerms, type CoreMember, memberHealths, openCoreMember } from './core-member.ts';
import { handover, healthCheckMs, lookUpMs } from './grpc-limits.ts';
import type { GrpcClientTls } from './tls.ts';
import { CoreOutdatedError, CoreUnavailableError, checkConnection } from './transport.ts';

/** The cores of one database; each call goes to one of them. */
export type CorePool = {
  /**
   * Sends a call to a core. Goes to the next one if the core has not begun with it, or if repeating it is harmless, until
   * all have been tried or its time is over. While one of several cores takes over, the call waits. Rejects with {@link
   * CoreUnavailableError}.
   */
  send<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    terms: CallTerms,
  ): Promise<Response>;
  /** The currently known cores. Rejects as unavailable if none has been found yet. */
  members(): Promise<readonly CoreMember[]>;
  /** Whether one of several cores served a moment ago: if none does now, another one may be taking over. */
  isHandingOver(): boolean;
  close(): void;
};

export type CorePoolOptions = {
  readonly addresses: readonly string[];
  readonly tls?: GrpcClientTls;
  /** The token of a server on loopback. */
  readonly token?: Secret<string>;
  /** Resolves names; the machine's own resolver when absent. */
  readonly lookUp?: LookUp;
};

/** Consecutive checks without an answer after which a core is no longer waited for, if another one can answer. */
const maxSilentLooks = 2;

/**
 * Sends calls to the cores in turn. Several cores are checked continuously, and serving ones are preferred; if none serves,
 * all are tried, since they can say what is wrong. Throws a sentence for the operator like `openTransport`.
 */
export function openCorePool(options: CorePoolOptions): CorePool {
  const { tls } = options;
  const addresses = options.addresses.map(parseGrpcAddress);
  for (const address of addresses) checkConnection(address, tls);
  const members = new Map<string, CoreMember>();
  let turn = 0;
  let closed = false;
  let servedAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;

  function take(found: ReadonlyMap<string, CoreAddress>): void {
    if (closed) return;
    for (const [name, member] of members) {
      if (found.has(name)) continue;
      members.delete(name);
      member.close();
    }
    for (const [name, location] of found) {
      if (!members.has(name)) members.set(name, openCoreMember(name, { ...options, ...location }));
    }
    checkHealth();
  }

  function checkHealth(): void {
    if (members.size < 2) return;
    for (const member of members.values()) {
      member.look().then((silentLooks) => {
        if (member.health() === 'serving') servedAt = performance.now();
        if (silentLooks >= maxSilentLooks && hasServing(members.values())) member.giveUp();
      });
    }
  }

  /** The next in turn among the best untried ones. */
  function choose(tried: ReadonlySet<CoreMember>): CoreMember | undefined {
    if (members.size === 1 && tried.size === 0) return members.values().next().value;
    const others = [...members.values()].filter((member) => !tried.has(member));
    for (const health of memberHealths) {
      const alike = others.filter((member) => member.health() === health);
      if (alike.length === 0) continue;
      turn = (turn + 1) % Number.MAX_SAFE_INTEGER;
      return alike[turn % alike.length];
    }
    return undefined;
  }

  function isHandingOver(): boolean {
    if (closed || members.size < 2) return false;
    return performance.now() - servedAt < handover.maxMs;
  }

  /** Whether a core may have taken over meanwhile, for a call that all have failed. */
  async function waitForOne({ begunAt, endsAt }: { begunAt: number; endsAt: number }): Promise<boolean> {
    const now = performance.now();
    if (!isHandingOver() || waiting >= handover.maxWaiting || endsAt - now <= handover.betweenRoundsMs) return false;
    // One that served at the last check may have stopped since; the next check shows.
    const isKnown = now - begunAt > healthCheckMs.interval + healthCheckMs.timeout;
    if (isKnown && hasServing(members.values())) return false;
    waiting += 1;
    await pause(handover.betweenRoundsMs);
    waiting -= 1;
    return true;
  }

  const finder = findCores(addresses, take, options.lookUp);
  const timer = setInterval(checkHealth, healthCheckMs.interval);
  timer.unref();

  return {
    send: async (...call) => {
      await finder.found();
      return sendToOne({ choose, waitForOne }, ...call);
    },
    async members() {
      await finder.found();
      return [...members.values()];
    },
    isHandingOver,
    close() {
      closed = true;
      finder.close();
      clearInterval(timer);
      for (const member of members.values()) member.close();
    },
  };
}

function hasServing(members: Iterable<CoreMember>): boolean {
  for (const member of members) if (member.health() === 'serving') return true;
  return false;
}

type Choosing = {
  choose(tried: ReadonlySet<CoreMember>): CoreMember | undefined;
  waitForOne(times: { readonly begunAt: number; readonly endsAt: number }): Promise<boolean>;
};

/** Sends a call to one core after the other, as described at {@link CorePool.send}. */
async function sendToOne<Request, Response>(
  { choose, waitForOne }: Choosing,
  method: UnaryMethod<Request, Response>,
  request: Request,
  terms: CallTerms,
): Promise<Response> {
  const begunAt = performance.now();
  const endsAt = begunAt + terms.deadlineMs;
  const tried = new Set<CoreMember>();
  let last: CoreUnavailableError | undefined;
  for (;;) {
    const deadlineMs = endsAt - performance.now();
    const member = choose(tried);
    if (member === undefined || (tried.size > 0 && deadlineMs <= 0)) {
      last ??= new CoreUnavailableError('the connection to the core is closed', { notBegun: true });
      if (last.isOverload || last instanceof CoreOutdatedError || !(await waitForOne({ begunAt, endsAt }))) throw last;
      tried.clear();
      continue;
    }
    tried.add(member);
    try {
      return await member.send(method, request, { ...terms, deadlineMs });
    } catch (error) {
      if (!(error instanceof CoreUnavailableError) || !(error.notBegun || terms.repeatable)) throw error;
      last = error;
    }
  }
}

/** The address of one core; if it was resolved from a name, also the name in its certificate. */
type CoreAddress = { readonly address: GrpcAddress; readonly host?: string };

/** The IP addresses of a host name. */
type LookUp = (host: string) => Promise<readonly string[]>;

const lookUpHere: LookUp = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Discovers the cores. */
type CoreFinder = {
  /** Resolves once they were found; rejects as unavailable while a name cannot be resolved. */
  found(): Promise<void>;
  close(): void;
};

/**
 * Calls `onFound` with the cores behind the addresses, by address as text: for a name, each IP address that it has.
 * Addresses without a name are reported once, immediately. Names are resolved with the first call of `found`, and then
 * repeatedly; a failed lookup changes nothing.
 */
function findCores(
  addresses: readonly GrpcAddress[],
  onFound: (places: ReadonlyMap<string, CoreAddress>) => void,
  lookUp: LookUp = lookUpHere,
): CoreFinder {
  const tell = (places: readonly CoreAddress[]) =>
    onFound(new Map(places.map((location) => [formatGrpcAddress(location.address), location])));
  if (!addresses.some(hasName)) {
    tell(addresses.map((address) => ({ address })));
    return { found: () => Promise.resolve(), close: () => undefined };
  }
  const find = async () => tell((await Promise.all(addresses.map((address) => placesOf(address, lookUp)))).flat());
  let first: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function begin(): Promise<void> {
    try {
      await find();
    } catch (cause) {
      first = undefined;
      throw new CoreUnavailableError('the host name of the core cannot be resolved', { cause, notBegun: true });
    }
    if (closed) return;
    timer = setInterval(() => void find().catch(() => undefined), lookUpMs);
    timer.unref();
  }

  return {
    found() {
      first ??= begin();
      return first;
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

function hasName(address: GrpcAddress): boolean {
  return address.kind === 'tcp' && isIP(address.host) === 0;
}

async function placesOf(address: GrpcAddress, lookUp: LookUp): Promise<readonly CoreAddress[]> {
  if (address.kind === 'unix' || !hasName(address)) return [{ address }];
  const numbers = await lookUp(address.host);
  return numbers.map((number) => ({ address: { ...address, host: number }, host: address.host }));
}
