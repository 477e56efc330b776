import { counted } from '@tollfree/contract/counted';
import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, createTimers, repeat } from '../../base/time/clock.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import {
  type BehindByContract,
  type LedgerState,
  type PublishedLedger,
  readPublishedStates,
  writeLedgerStates,
} from '../../ledger/following/following.ts';
import { asLeader } from '../../store/leading.ts';
import { notifyOthers } from '../../store/notices.ts';
import type { Store } from '../../store/store.ts';
import type { FollowHealth } from '../follow-health.ts';
import { sharingLimits } from './ask-leader.ts';
import { whileLeading } from './while-leading.ts';

/** Whether the ledger of a chain follows it, in whichever process. */
export type LedgerHealth = Pick<FollowHealth, 'followed' | 'faultOf' | 'fault'> & {
  /** Resolves when the last report is known. */
  readonly tried: Promise<void>;
  close(): Promise<void>;
};

/** What the leader and the others need. */
type SharingParts = {
  readonly chainId: number;
  /** This process's settings that affect money. */
  readonly settings: string;
  readonly store: Pick<Store, 'db' | 'hear'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

/**
 * For several processes at a database: the leader reports the state of the ledger every few seconds and after changes, and
 * the others rely on it. For a new leader, contracts that the last report stopped stay stopped until their ledger is in
 * step.
 */
export function shareLedgerHealth(
  options: SharingParts & {
    readonly contracts: readonly Address[];
    readonly health: FollowHealth;
    readonly store: Store;
  },
): LedgerHealth {
  const { chainId, contracts, settings, health, store, clock } = options;
  const { leadership } = store;
  const received = followLeaderStates(options);
  let hasReceived = false;
  let hasTakenOver = false;
  /** A pass has updated the ledger since this process leads. */
  let hasFollowed = false;
  let reported = '';

  const keeps = () => leadership.leads() && hasTakenOver;
  function change(): void {
    hasFollowed = false;
    hasTakenOver = leadership.leads() && hasReceived;
    if (hasTakenOver) health.takeOver(stoppedOf(contracts, received.reportedFaultOf));
  }
  const unlisten = leadership.onChange(change);
  const tried = received.tried.then(() => {
    hasReceived = true;
    change();
  });

  async function tell(): Promise<void> {
    if (!keeps() || !hasFollowed) return;
    const states = new Map(contracts.map((contract) => [contract, health.stateOf(contract)]));
    const text = describe(states);
    await asLeader(store).transaction(async (trx) => {
      await writeLedgerStates(trx, { chainId, states, settings });
      if (text !== reported) await notifyOthers(trx, `ledger ${chainId}`);
    });
    reported = text;
  }

  // The store reports failing writes, and the others notice missing reports.
  const tryToTell = () => tell().catch(() => undefined);
  const telling = whileLeading(leadership, () =>
    repeat({ clock, timers: createTimers(clock) }, sharingLimits.betweenWords, tryToTell, () => {}),
  );

  function faultOf(contract: Address): string | undefined {
    if (keeps()) return health.faultOf(contract);
    return received.difference() ?? received.faultOf(contract);
  }

  function fault(): string | undefined {
    if (keeps() && hasFollowed) return health.fault();
    // Until its first pass, a new leader uses the report of its predecessor.
    const silent = health.silence();
    if (silent !== undefined) return silent;
    const faults = contracts.map(faultOf);
    if (!faults.includes(undefined)) return faults[0];
    const isAnyKept = contracts.some(received.isKept);
    return isAnyKept ? undefined : 'the ledger is catching up with the chain';
  }

  return {
    tried,
    faultOf,
    fault,
    followed: (behind: BehindByContract) => {
      if (!keeps()) return;
      hasFollowed = true;
      health.followed(behind);
      const states = new Map(contracts.map((contract) => [contract, health.stateOf(contract)]));
      if (describe(states) !== reported) void tryToTell();
    },
    close: async () => {
      unlisten();
      await Promise.all([received.close(), telling.close()]);
    },
  };
}

function stoppedOf(
  contracts: readonly Address[],
  faultOf: (contract: Address) => string | undefined,
): ReadonlyMap<Address, string> {
  return new Map(
    contracts.flatMap((contract) => {
      const fault = faultOf(contract);
      return fault === undefined ? [] : [[contract, fault]];
    }),
  );
}

function describe(states: ReadonlyMap<Address, LedgerState>): string {
  return JSON.stringify([...states]);
}

/** The last report from the process that keeps the ledger of a chain. */
type LeaderStates = {
  /** Why nothing may be signed for a contract, in words. */
  faultOf(contract: Address): string | undefined;
  /** The reported reason, however old. */
  reportedFaultOf(contract: Address): string | undefined;
  /** Whether the ledger of a contract is in step with the chain. */
  isKept(contract: Address): boolean;
  /** How this process's settings differ from those of the process that keeps the ledger, in words. */
  difference(): string | undefined;
  /** Resolves after the first attempt to read it. */
  readonly tried: Promise<void>;
  close(): Promise<void>;
};

/** Reads it every few seconds, and when notified of news. Until the first read, nothing may be signed. */
export function followLeaderStates(options: SharingParts): LeaderStates {
  const { chainId, settings, store, clock, logger } = options;
  let received:
    | { readonly published: PublishedLedger; readonly difference: string | undefined; readonly at: number }
    | undefined;

  async function read(): Promise<void> {
    const at = clock.now();
    const published = await readPublishedStates(store.db, chainId);
    const difference = describeDifference(settings, published.settings);
    if (difference !== undefined && received?.difference !== difference) logger.error({ chainId }, difference);
    received = { published, difference, at };
  }

  // After a failed read, the previous report ages.
  const tryToRead = () => read().catch(() => undefined);
  const tried = tryToRead();
  let reading: Promise<void> = tried;
  const unlisten = store.hear((notice) => {
    if (notice === undefined || notice === `ledger ${chainId}`) reading = reading.then(tryToRead);
  });
  const repeating = repeat({ clock, timers: createTimers(clock) }, sharingLimits.betweenLooks, tryToRead, () => {});

  function faultOf(contract: Address): string | undefined {
    if (received === undefined) return 'the state of its ledger has not been read yet';
    const reported = received.published.states.get(contract);
    if (reported === undefined) return 'no process keeps its ledger';
    // If the clock was set back, the elapsed time is unknown.
    const age = reported.age + Math.abs(clock.now() - received.at);
    if (age <= sharingLimits.maxSilence) return reported.fault;
    return `no process has kept its ledger for ${counted(Math.floor(age / 1_000), 'second')}`;
  }

  return {
    tried,
    faultOf,
    reportedFaultOf: (contract) => received?.published.states.get(contract)?.fault,
    isKept: (contract) => received?.published.states.get(contract)?.state === 'kept' && faultOf(contract) === undefined,
    difference: () => received?.difference,
    close: async () => {
      unlisten();
      await repeating.close();
      await reading;
    },
  };
}

/**
 * The settings that affect money on a chain, as text: all processes at one database must agree on them. Each has its
 * user-visible name.
 */
export function moneySettings(config: ChainConfig): string {
  const { confirmations, startBlock, entryPoints, paymasterContracts, tokens, relay, vendor } = config;
  const settings = new Map<string, string>([
    ['confirmations', String(confirmations)],
    ['startBlock', String(startBlock)],
  ]);
  if (vendor !== undefined) {
    const { usdMicrosPerDay, usdMicrosPerMonth } = vendor.budget;
    settings.set('the vendor’s budget', `${usdMicrosPerDay} in a day, ${usdMicrosPerMonth} in a month (USD micros)`);
  }
  for (const [version, address] of Object.entries(entryPoints)) settings.set(`EntryPoint ${version}`, lower(address));
  for (const { version, family, address, tokenRecipient, priceMarkup, premiumBasisPoints } of paymasterContracts) {
    const name = `paymaster contract ${version}`;
    settings.set(`the family of ${name}`, family);
    settings.set(`the address of ${name}`, lower(address));
    settings.set(`the token recipient of ${name}`, lower(tokenRecipient));
    if (priceMarkup !== undefined) settings.set(`the priceMarkup of ${name}`, String(priceMarkup));
    if (premiumBasisPoints !== undefined) settings.set(`the premium of ${name}`, String(premiumBasisPoints));
  }
  if (relay !== undefined) {
    settings.set('the EntryPoint of the relay', relay.entryPoint);
    settings.set('the executors of the relay', relay.executors.map(lower).sort().join(', '));
  }
  for (const { symbol, address, decimals, premiumBasisPoints } of tokens) {
    settings.set(`the address of ${symbol}`, lower(address));
    settings.set(`the decimals of ${symbol}`, String(decimals));
    settings.set(`the premium of ${symbol}`, String(premiumBasisPoints));
  }
  return JSON.stringify(Object.fromEntries([...settings].sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** The differences, as a sentence; undefined if no process keeps the ledger yet. */
export function describeDifference(own: string, kept: string | undefined): string | undefined {
  if (kept === undefined || own === kept) return undefined;
  const [here, there] = [read(own), read(kept)];
  const names = [...new Set([...here.keys(), ...there.keys()])].filter((name) => here.get(name) !== there.get(name));
  const differences = names.map(
    (name) => `${name} is ${here.get(name) ?? 'not set'} here and ${there.get(name) ?? 'not set'} there`,
  );
  return `this process is configured differently than the one that keeps the ledger: ${differences.join(', ')}`;
}

/** Parses the result of `moneySettings`, possibly of another version. */
function read(settings: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(settings) as Record<string, string>));
}

function lower(address: string): string {
  return address.toLowerCase();
}
