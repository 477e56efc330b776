import { BaseError, createPublicClient, fallback, http, type PublicClient, type Transport } from 'viem';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { explainNodeFailure } from '../../core/node/node-error.ts';
import { readRpcAnswer } from '../../core/node/rpc/rpc-answer.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import type { Config } from '../config/config-schema.ts';

/** A chain of the configuration, its index there, and its nodes. */
export type ChainAccess = {
  readonly chain: ChainSection;
  readonly index: number;
  readonly client: PublicClient<Transport>;
};

/** Opens the chain of `--chain`, or the only configured one. Refuses nodes of another chain. */
export async function openChain(config: Config, flags: Flags): Promise<ChainAccess> {
  const chains = config.chains ?? [];
  const wanted = textFlag(flags, 'chain');
  const id = wanted === undefined ? undefined : String(findWellKnownChain(wanted)?.chainId ?? wanted);
  const index = id === undefined ? 0 : chains.findIndex(({ chainId }) => String(chainId) === id);
  const chain = chains[index];
  const ids = chains.map(({ chainId }) => chainId).join(', ');
  if (chains.length === 0) throw mistake('chains is missing in the configuration. Name it with --config.');
  if (chain === undefined) throw mistake(`The configuration has no chain ${wanted}. It has ${ids}.`);
  if (wanted === undefined && chains.length > 1) throw mistake(`Name the chain: --chain, one of ${ids}.`);
  const transport = fallback(chain.nodeUrls.map((url) => http(url, { timeout: chain.callTimeoutMs })));
  const client = createPublicClient({ transport, pollingInterval: Math.min(chain.pollIntervalMs, 4_000) });
  const chainId = await askChain(chain.chainId, client.getChainId());
  if (chainId === chain.chainId) return { chain, index, client };
  throw mistake(`nodeUrls of chain ${chain.chainId} leads to chain ${chainId}.`);
}

/** The answer of the chain's nodes. A failure is one sentence without their URLs, which may contain a key. */
export async function askChain<T>(chainId: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const { text, remedy } = explainNodeFailure(error);
    const said = readRpcAnswer(error)?.code === undefined ? '' : ` (${error.shortMessage.replaceAll('\n', ' ')})`;
    throw tryAgain(`No node of chain ${chainId} answers the request. ${text}${said} ${remedy}`);
  }
}
