import { maxAbiBytes } from '@tollfree/contract/limits';
import pLimit from 'p-limit';
import type { Address } from 'viem';
import type { ExplorerConfig, WebhookConfig } from '../../../domain/core-config.ts';
import { jsonDepth } from '../../../evm/abi/json-depth.ts';
import { createGuardedGet } from '../../../webhooks/guarded-get.ts';
import type { ExplorerAnswer } from './explorer-answer.ts';
import { readEtherscanAnswer } from './read-etherscan-answer.ts';
import { readSourcifyAnswer } from './read-sourcify-answer.ts';

/** Asks an explorer about the contract at an address. Never rejects. */
export type ReadExplorer = (address: Address) => Promise<ExplorerAnswer>;

/** Bounds of one question. An ABI as a text within JSON can be twice as long as it is. */
const explorerLimits = {
  timeoutMs: 5_000,
  maxBytes: 2 * maxAbiBytes + 65_536,
  maxDepth: 64,
  atOnce: 2,
  waiting: 8,
} as const;

/** The explorer of a chain, asked with the address rules of webhooks, by few at once. */
export function createReadExplorer(explorer: ExplorerConfig, chainId: number, rules: WebhookConfig): ReadExplorer {
  const get = createGuardedGet(rules, explorerLimits);
  const turns = pLimit(explorerLimits.atOnce);
  const read = explorer.kind === 'sourcify' ? readSourcifyAnswer : readEtherscanAnswer;
  return async (address) => {
    if (turns.pendingCount >= explorerLimits.waiting) {
      return { kind: 'unavailable', problem: 'is used by too many requests at once' };
    }
    const got = await turns(() => get(questionUrl(explorer, chainId, address)));
    return 'problem' in got ? { kind: 'unavailable', ...got } : read(got.status, parse(got.text));
  };
}

/** Sourcify: `GET /v2/contract/{chainId}/{address}`. Etherscan: `module=contract&action=getabi`. */
function questionUrl(explorer: ExplorerConfig, chainId: number, address: Address): URL {
  const url = new URL(explorer.url);
  if (explorer.kind === 'sourcify') {
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/v2/contract/${chainId}/${address}`;
    url.searchParams.set('fields', 'abi,proxyResolution');
    return url;
  }
  const question = { chainid: `${chainId}`, module: 'contract', action: 'getabi', address };
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
  url.searchParams.set('apikey', explorer.apiKey.reveal());
  return url;
}

/** The body as JSON; undefined for anything else. */
function parse(text: string): unknown {
  if (jsonDepth(text, explorerLimits.maxDepth) > explorerLimits.maxDepth) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
