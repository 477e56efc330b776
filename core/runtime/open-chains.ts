import pLimit, { type LimitFunction } from 'p-limit';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import { createTimers, repeat, type Timers } from '../base/time/timers.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import type { ChainRuntime } from '../sponsorship/run/chain-runtime.ts';
import { openChain, type PreparedChain } from './open-chain.ts';
import type { ChainKeys } from './open-signers.ts';
import { refuseSharedTreasury } from './treasury/refuse-shared-treasury.ts';

/** Opening a usual keystore takes 256 MiB for half a second, in a thread of its own. */
const openedAtOnce = 2;
/** Nodes that are asked at once whether they are what the configuration says: it is them that is waited for. */
const connectedAtOnce = 25;

/** The code that the operator knows on a chain. */
export type ChangedKnownCode = Pick<ChainConfig, 'chainId' | 'accounts'>;

/** The keys that a chain is to have. */
export type ChangedKeys = ChainKeys & Pick<ChainConfig, 'chainId'>;

type OpenedChains = {
  /** Every configured chain, by its id. */
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  /**
   * Has each chain take the keys that the configuration has for it by now, and logs what became of it: a chain that cannot
   * take them keeps those it has.
   */
  changeSigners(configs: readonly ChangedKeys[]): Promise<void>;
  /** Has each chain know the code that the configuration names by now. A chain that is not among them keeps what it knows. */
  changeKnownCode(configs: readonly ChangedKnownCode[]): void;
  close(): Promise<void>;
};

/**
 * Opens the chains side by side. One whose node is away is left to be connected later, as long as another one is there: it
 * signs nothing and says why. For a mistake, or when no node is there, all are closed again.
 *
 * @throws StartError when something the configuration promises is not there: of the first chain in the configuration that
 * has a mistake, else of the first one, whichever failed first.
 */
export async function openChains(
  configs: readonly ChainConfig[],
  context: Parameters<typeof openChain>[1] & { readonly timers?: Timers },
): Promise<OpenedChains> {
  const turns = { open: pLimit(openedAtOnce), connect: pLimit(connectedAtOnce) };
  const results = await Promise.allSettled(configs.map((config) => openAndConnect(config, context, turns)));
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const mistake = results.find((result) => result.status === 'rejected') ?? findSharedTreasury(opened);
  const away = opened.flatMap(({ chain, away }) => (away === undefined ? [] : [{ chain, cause: away }]));
  if (mistake !== undefined || (away[0] !== undefined && away.length === opened.length)) {
    await Promise.all(opened.map(({ chain }) => chain.runtime.watcher.close()));
    throw mistake === undefined ? away[0]?.cause : mistake.reason;
  }
  const later = away.map(({ chain, cause }) => connectLater(chain, cause, context));
  return {
    chains: new Map(opened.map(({ chain }) => [chain.runtime.config.chainId, chain.runtime])),
    changeSigners: async (changed) => {
      for (const keys of changed) {
        const one = opened.find(({ chain }) => chain.runtime.config.chainId === keys.chainId);
        if (one !== undefined) await changeSigners(one.chain, keys, context.logger);
      }
    },
    changeKnownCode: (changed) => {
      for (const { chainId, accounts } of changed) {
        opened.find(({ chain }) => chain.runtime.config.chainId === chainId)?.chain.changeKnownCode(accounts);
      }
    },
    close: async () => {
      await Promise.all(later.map((one) => one.close()));
      await Promise.all(opened.map(({ chain }) => chain.runtime.watcher.close()));
    },
  };
}

function findSharedTreasury(
  opened: readonly { readonly chain: PreparedChain }[],
): { readonly reason: unknown } | undefined {
  try {
    refuseSharedTreasury(opened.map(({ chain }) => chain.runtime));
    return undefined;
  } catch (reason) {
    return { reason };
  }
}

/** The chain, and why it could not be connected now though it may be later. */
async function openAndConnect(
  config: ChainConfig,
  context: Parameters<typeof openChain>[1],
  turns: { readonly open: LimitFunction; readonly connect: LimitFunction },
) {
  const chain = await turns.open(() => openChain(config, context));
  try {
    await turns.connect(() => chain.connect());
    return { chain, away: undefined };
  } catch (cause) {
    if (cause instanceof StartError && cause.tryAgain) return { chain, away: cause };
    throw cause;
  }
}

async function changeSigners(chain: PreparedChain, keys: ChangedKeys, logger: Logger): Promise<void> {
  const { chainId } = keys;
  try {
    await chain.changeSigners(keys);
    logger.info({ chainId }, 'The signing keys of the configuration are in use');
  } catch (cause) {
    logger.error({ chainId, err: cause }, 'The signing keys could not be read again and stay unchanged');
  }
}

/**
 * Tries to connect a chain that was away, once in a poll interval, until it succeeds. Logs why not whenever the reason is
 * another one, and once that it is connected. A mistake that shows only now does not end a process that serves others.
 */
function connectLater(
  chain: PreparedChain,
  firstCause: Error,
  context: { readonly clock: Clock; readonly logger: Logger; readonly timers?: Timers },
): { close(): Promise<void> } {
  const { clock, logger, timers = createTimers(clock) } = context;
  const { chainId, pollIntervalMs } = chain.runtime.config;
  let said: string | undefined;

  function say(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : '';
    if (said === message) return;
    said = message;
    logger.error(
      { err: cause, chainId },
      'The chain could not be opened; trying again while the other chains are served',
    );
  }

  say(firstCause);
  const trying = repeat(
    { clock, timers },
    pollIntervalMs,
    async () => {
      await chain.connect();
      logger.info({ chainId }, 'The chain is open');
      void trying.close();
    },
    say,
  );
  return trying;
}
