import type { RpcQuestion } from './create-endpoint.ts';

/**
 * `empty`: a healthy node may return this, but so may one that lacks data, so another node is asked. `senseless`: no healthy
 * node returns this.
 */
type AnswerVerdict = 'sound' | 'empty' | 'senseless';

/** Checks only the form of a node's answer. For methods not listed here any result is valid. */
export function judgeAnswer({ method, params }: RpcQuestion, answer: unknown): AnswerVerdict {
  if (answer === undefined) return 'senseless';
  // Calling an address without code returns no data; so does a node that ignores overridden code.
  if (method === 'eth_call' && answer === '0x') return 'empty';
  const isHealthy = sound.get(method);
  return isHealthy === undefined || isHealthy(answer, params) ? 'sound' : 'senseless';
}

type IsHealthy = (answer: unknown, params: unknown) => boolean;

const isQuantity: IsHealthy = (answer) => typeof answer === 'string' && /^0x[0-9a-f]+$/i.test(answer);
const isData: IsHealthy = (answer) => isHexText(answer) && (answer as string).length % 2 === 0;

const sound: ReadonlyMap<string, IsHealthy> = new Map([
  ['eth_chainId', isQuantity],
  ['eth_blockNumber', isQuantity],
  ['eth_gasPrice', isQuantity],
  ['eth_maxPriorityFeePerGas', isQuantity],
  ['eth_getBalance', isQuantity],
  ['eth_getTransactionCount', isQuantity],
  ['eth_getStorageAt', isQuantity],
  ['eth_call', isData],
  ['eth_getCode', isData],
  ['eth_feeHistory', isFeeHistory],
  ['eth_getBlockByNumber', isBlock],
  ['eth_getBlockByHash', isBlock],
  ['eth_getLogs', isLogs],
]);

function isFeeHistory(answer: unknown): boolean {
  return hasFields(answer, ['oldestBlock']) && isListOf(fieldOf(answer, 'baseFeePerGas'), isQuantity, 1);
}

/** The latest block always exists; another one may be unknown. */
function isBlock(answer: unknown, params: unknown): boolean {
  if (answer === null) return !(Array.isArray(params) && params[0] === 'latest');
  const isPending = Array.isArray(params) && params[0] === 'pending';
  return hasFields(answer, isPending ? ['timestamp'] : ['number', 'hash', 'parentHash', 'timestamp']);
}

function isLogs(answer: unknown): boolean {
  return isListOf(
    answer,
    (log) =>
      hasFields(log, ['address', 'data', 'blockNumber', 'transactionHash']) && isListOf(fieldOf(log, 'topics'), isData),
  );
}

function isListOf(value: unknown, isItem: (item: unknown, params: unknown) => boolean, least = 0): boolean {
  return Array.isArray(value) && value.length >= least && value.every((item) => isItem(item, undefined));
}

/** Whether all fields are present, as hex. */
function hasFields(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => isHexText(fieldOf(value, name)));
}

function isHexText(value: unknown): boolean {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
