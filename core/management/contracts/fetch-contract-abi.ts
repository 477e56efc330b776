import { maxAbiBytes } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import pLimit from 'p-limit';
import type { Address } from 'viem';
import { z } from 'zod';
import type { Logger } from '../../base/logger.ts';
import { inOwnTurns } from '../../base/time/in-own-turn.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Core } from '../../domain/core.ts';
import type { ChainConfig, ExplorerConfig, WebhookConfig } from '../../domain/core-config.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import { jsonDepth, parseAbiInSteps } from '../../evm/abi/parse-abi.ts';
import { ownPaymasterId, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { createGuardedGet } from '../../webhooks/guarded-get.ts';

/** The current target of a proxy at an address; undefined for any other contract. Refuses when no node answers. */
type ImplementationOf = (chainId: number, address: Address) => Promise<Result<Address | undefined>>;

const notSetUp = refuse({
  reason: 'EXPLORER_NOT_SET_UP',
  message: 'No explorer is set up for this chain. Send the ABI itself.',
});

/**
 * `Core.fetchContractAbi`. A proxy's target is read from the chain, or from the explorer if the chain has none; the ABI must
 * be valid for registration.
 */
export function fetchContractAbi(parts: {
  readonly store: Store;
  readonly chains: readonly ChainConfig[];
  readonly rules: WebhookConfig;
  readonly implementationOf: ImplementationOf;
  readonly logger: Logger;
}): Core['fetchContractAbi'] {
  const { store, chains, rules, implementationOf, logger } = parts;
  const explorers = new Map(
    chains.flatMap(({ chainId, explorer }) =>
      explorer === undefined ? [] : [[chainId, createReadExplorer(explorer, chainId, rules)] as const],
    ),
  );
  return async (input) => {
    const address = parseAddress(input.address);
    if (address === undefined) return invalidField('address', 'must be a valid address');
    const paymaster = await ownPaymasterId(store.db, input).select('chain_id').executeTakeFirst();
    if (paymaster === undefined) return paymasterNotFound;
    const { chain_id: chainId } = paymaster;
    const ask = explorers.get(chainId);
    if (ask === undefined) return notSetUp;
    const onChain = await implementationOf(chainId, address);
    if (!onChain.ok) return onChain;
    const found = await findAbi({ ask, accountId: input.accountId }, address, onChain.value);
    if (!found.ok) {
      const { reason, message } = found.refusal;
      if (reason === 'EXPLORER_UNAVAILABLE') logger.warn({ chainId, problem: message }, 'explorer unavailable');
      return found;
    }
    const { abi, implementation } = found.value;
    return accept({ address, abi, ...omitAbsent({ implementation }) });
  };
}

type Found = { readonly abi: string; readonly implementation?: Address | undefined };

/** The ABI of the code that runs at the address. The chain determines a proxy's `implementation`, or else the explorer. */
async function findAbi(
  asker: { readonly ask: ReadExplorer; readonly accountId: string },
  address: Address,
  implementation: Address | undefined,
): Promise<Result<Found>> {
  const answer = await asker.ask(implementation ?? address);
  if (answer.kind === 'unavailable') return unavailable(answer.problem);
  if (answer.kind === 'not verified') return notVerified(address, implementation);
  if (implementation === undefined && answer.implementation !== undefined) {
    return findAbi(asker, address, answer.implementation);
  }
  if (!(await inOwnTurns(asker.accountId, parseAbiInSteps(answer.abi))).ok)
    return unavailable('has no usable ABI for this contract');
  return accept({ abi: answer.abi, implementation });
}

function unavailable(problem: string) {
  return refuse({ reason: 'EXPLORER_UNAVAILABLE', message: `The explorer ${problem}` });
}

function notVerified(address: Address, implementation: Address | undefined) {
  const what = implementation === undefined ? '' : ` is a proxy of ${implementation}, which`;
  const message = `The contract ${address}${what} is not verified at the explorer. Send the ABI itself`;
  return refuse({ reason: 'ABI_NOT_VERIFIED', message });
}

/** An explorer's answer about a contract. `problem` is the end of a sentence about the explorer, without secrets. */
type ExplorerAnswer =
  | { readonly kind: 'verified'; readonly abi: string; readonly implementation?: Address }
  | { readonly kind: 'not verified' }
  | { readonly kind: 'unavailable'; readonly problem: string };

const ContractSchema = z.object({
  match: z.string().nullish(),
  abi: z.array(z.unknown()).nullish(),
  proxyResolution: z.object({ implementations: z.array(z.object({ address: z.string() })).nullish() }).nullish(),
});

/**
 * An answer of `GET /v2/contract/{chainId}/{address}`: a 404 or a `match` of null means that the contract is not verified.
 */
function readSourcifyAnswer(status: number, json: unknown): ExplorerAnswer {
  const contract = ContractSchema.safeParse(json);
  if (status === 404 && contract.success) return { kind: 'not verified' };
  if (status !== 200) return { kind: 'unavailable', problem: `answered ${status}` };
  if (!contract.success) return { kind: 'unavailable', problem: 'returned an invalid response' };
  const { match, abi, proxyResolution } = contract.data;
  if (match === null || !abi) return { kind: 'not verified' };
  // Several mean a diamond: which of them a call reaches is unknown.
  const [only, ...others] = proxyResolution?.implementations ?? [];
  const implementation = others.length === 0 ? parseAddress(only?.address ?? '') : undefined;
  return { kind: 'verified', abi: JSON.stringify(abi), ...(implementation && { implementation }) };
}

const AnswerSchema = z.object({ status: z.string(), result: z.string() });

/**
 * An answer of `module=contract&action=getabi`: `status` 1 and the ABI as text, else 0 and a sentence. The sentence is not
 * passed on, since an explorer may repeat parts of the question, which contains the operator's key.
 */
function readEtherscanAnswer(status: number, json: unknown): ExplorerAnswer {
  if (status !== 200) return { kind: 'unavailable', problem: `answered ${status}` };
  const answer = AnswerSchema.safeParse(json);
  if (!answer.success) return { kind: 'unavailable', problem: 'returned an invalid response' };
  const { status: outcome, result } = answer.data;
  if (outcome === '1') return { kind: 'verified', abi: result };
  if (/source code not verified/i.test(result)) return { kind: 'not verified' };
  return { kind: 'unavailable', problem: whatIsWrong(result) };
}

function whatIsWrong(sentence: string): string {
  if (/rate limit/i.test(sentence)) return 'was called too often';
  if (/api key/i.test(sentence)) return 'does not accept the key of this service';
  if (/chainid/i.test(sentence)) return 'does not know this chain';
  return 'did not answer the request';
}

/** Asks an explorer about the contract at an address. Never rejects. */
type ReadExplorer = (address: Address) => Promise<ExplorerAnswer>;

/** Bounds of one question. An ABI as text within JSON can double in length. */
const explorerLimits = {
  timeoutMs: 5_000,
  maxBytes: 2 * maxAbiBytes + 65_536,
  maxDepth: 64,
  atOnce: 2,
  waiting: 8,
} as const;

/** The explorer of a chain, with the address rules of webhooks and few concurrent questions. */
function createReadExplorer(explorer: ExplorerConfig, chainId: number, rules: WebhookConfig): ReadExplorer {
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
