import pLimit, { type LimitFunction } from 'p-limit';
import { type Address, isAddressEqual } from 'viem';
import type { Logger } from '../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers } from '../base/time/clock.ts';
import type { ChainConfig } from '../domain/core-config.ts';
import { StartError } from '../domain/start-error.ts';
import type { ChainRuntime } from '../sponsorship/run/sponsorship-parts.ts';
import type { ChainKeys } from './chain-signers.ts';
import { openChain, type PreparedChain } from './open-chain.ts';

/** Opening a typical keystore takes 256 MiB for half a second, in a separate thread. */
const openedAtOnce = 2;
/** Most chains connected at once: the time is spent waiting for their nodes. */
const connectedAtOnce = 25;

export type ChangedKnownCode = Pick<ChainConfig, 'chainId' | 'accounts'>;

/** The keys that a chain should have. */
export type ChangedKeys = ChainKeys & Pick<ChainConfig, 'chainId'>;

type OpenedChains = {
  /** Every configured chain, by its id. */
  readonly chains: ReadonlyMap<number, ChainRuntime>;
  /**
   * Switches each chain to its keys in the current configuration, and logs the result. A chain that cannot use them keeps
   * its old ones.
   */
  changeSigners(configs: readonly ChangedKeys[]): Promise<void>;
  /** Switches each chain to the known code in the current configuration. A chain that is not listed keeps its old code. */
  changeKnownCode(configs: readonly ChangedKnownCode[]): void;
  close(): Promise<void>;
};

/**
 * Opens the chains in parallel. If a node is unreachable, its chain is connected later, as long as another chain works:
 * until then it signs nothing and says why. After a mistake, or if no node is reachable, all are closed again.
 *
 * @throws StartError when something in the configuration is missing: of the first configured chain with a mistake, else of
 * the first chain, whichever failed first.
 */
export async function openChains(
  configs: readonly ChainConfig[],
  context: Parameters<typeof openChain>[1],
): Promise<OpenedChains> {
  const turns = { open: pLimit(openedAtOnce), connect: pLimit(connectedAtOnce) };
  const results = await Promise.allSettled(configs.map((config) => openAndConnect(config, context, turns)));
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const mistake = results.find((result) => result.status === 'rejected') ?? findSharedHotWallet(opened);
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

function findSharedHotWallet(
  opened: readonly { readonly chain: PreparedChain }[],
): { readonly reason: unknown } | undefined {
  try {
    refuseSharedHotWallet(opened.map(({ chain }) => chain.runtime));
    return undefined;
  } catch (reason) {
    return { reason };
  }
}

/** The chain, and why it could not be connected now, if a retry may succeed. */
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
 * Retries connecting a chain once per poll interval until it succeeds. Logs each new reason for failure, and the success. A
 * mistake that only shows now does not end a process that serves other chains.
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

type Keyed = Pick<ChainRuntime, 'config' | 'signers' | 'relay' | 'hotWallet'>;

/**
 * Refuses a hot wallet whose key has another role on any chain: a thief of one would get the other too, and an executor
 * sends transactions with its own nonces.
 *
 * @throws StartError that names the wallet and its other role.
 */
function refuseSharedHotWallet(chains: readonly Keyed[]): void {
  const used = chains.flatMap(({ config: { chainId }, signers, relay }) => [
    ...(signers?.().keys ?? []).map(({ address }) => ({ address, task: `a signer of chain ${chainId}` })),
    ...(relay?.contract.location.executors ?? []).map((address) => ({
      address,
      task: `an executor of chain ${chainId}`,
    })),
  ]);
  for (const { hotWallet, config } of chains) {
    const wallet: Address | undefined = hotWallet?.address;
    const other = wallet && used.find(({ address }) => isAddressEqual(address, wallet));
    if (other === undefined) continue;
    throw new StartError(
      `The hot wallet of chain ${config.chainId} is ${wallet}, which is also ${other.task}. Give the hot wallet a key of its own.`,
      { tryAgain: false },
    );
  }
}
