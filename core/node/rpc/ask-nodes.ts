import { BaseError, ExecutionRevertedError } from 'viem';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import type { Endpoint, RpcQuestion, Times } from './create-endpoint.ts';
import { isFailure, readRpcAnswer } from './rpc-answer.ts';

/** Time without an answer after which the next node is asked as well, in milliseconds. */
export const hedgeAfterMs = 1_000;

/** Callbacks for events of nodes, which are counted from 0. */
export type NodeNotes = {
  rests(node: number, cause: unknown): void;
  returns(node: number): void;
};

/**
 * Asks several nodes of one chain as if they were one. The first node that is not paused is asked first. The next one is
 * asked if it fails or returns an invalid answer, and in parallel if it has not answered after `hedgeAfterMs`. The first
 * valid answer counts, including a revert. A node that was overtaken, timed out or failed repeatedly is paused: it is asked
 * only when all others have failed. After the pause it is tried in parallel to another one, so that no request waits for it.
 *
 * Rejects with the error of the last node that failed.
 */
export function createNodeAsker(
  endpoints: readonly Endpoint[],
  times: Times,
  notes?: NodeNotes,
): (question: RpcQuestion) => Promise<unknown> {
  const nodes = endpoints.map((endpoint, index): Node => {
    const onRest = notes && ((cause: unknown) => notes.rests(index, cause));
    const onReturn = notes && (() => notes.returns(index));
    // A single node is never paused, since there is no other.
    const breaker = endpoints.length > 1 ? createCircuitBreaker({ clock: times.clock, onRest, onReturn }) : undefined;
    return { endpoint, breaker };
  });
  return (question) => {
    const resting = nodes.filter(({ breaker }) => breaker?.rests());
    const order = [...nodes.filter((node) => !resting.includes(node)), ...resting];
    const tried = resting.find((node) => node !== order[0] && node.breaker?.takeTrial());
    if (tried !== undefined) void askNode(tried, question);
    return firstAnswer(order, question, times);
  };
}

type Node = { readonly endpoint: Endpoint; readonly breaker: CircuitBreaker | undefined };

type Outcome =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'verdict'; readonly error: unknown }
  | { readonly kind: 'empty'; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly error: unknown };

/** Never rejects. */
async function askNode({ endpoint, breaker }: Node, question: RpcQuestion, signal?: AbortSignal): Promise<Outcome> {
  try {
    const answer = await endpoint.ask(question, signal);
    const verdict = judgeAnswer(question, answer);
    if (verdict === 'senseless') {
      const error = new BaseError(`The node's answer to ${question.method} is invalid.`);
      breaker?.failed(error);
      return { kind: 'failure', error };
    }
    breaker?.succeeded();
    return { kind: verdict === 'empty' ? 'empty' : 'answer', answer };
  } catch (error) {
    if (signal?.aborted) return { kind: 'failure', error };
    noteFailure(breaker, error);
    return { kind: isRevert(error) ? 'verdict' : 'failure', error };
  }
}

/** Another node would return the same revert. */
function isRevert(error: unknown): boolean {
  const answer = readRpcAnswer(error);
  if (answer?.code === undefined) return false;
  return answer.code === ExecutionRevertedError.code || ExecutionRevertedError.nodeMessage.test(answer.details);
}

function noteFailure(breaker: CircuitBreaker | undefined, error: unknown): void {
  if (isFailure(error)) breaker?.failed(error);
  else breaker?.succeeded();
}

/** Created once: an abort without a reason creates an error with a stack for every question. */
const noLongerWaitedFor = new Error('Another node has answered.');

/** The first valid answer of the nodes, asked in this order. */
function firstAnswer(order: readonly Node[], question: RpcQuestion, { clock, timers }: Times): Promise<unknown> {
  // A single node gets its full time.
  const others = order.length > 1 ? new AbortController() : undefined;
  let isOver = false;
  const waitedFor: Node[] = [];
  let asked = 0;
  let empty: { readonly answer: unknown } | undefined;
  let lastError: unknown;
  let stopHedge = () => {};

  return new Promise((resolve, reject) => {
    function askNext(): void {
      stopHedge();
      const node = order[asked];
      if (node === undefined) return;
      asked += 1;
      waitedFor.push(node);
      if (asked < order.length) stopHedge = timers.at(clock.now() + hedgeAfterMs, askNext);
      void askNode(node, question, others?.signal).then((outcome) => take(node, outcome));
    }

    function take(node: Node, outcome: Outcome): void {
      if (isOver) return;
      if (outcome.kind === 'answer' || outcome.kind === 'verdict') {
        settle(node, outcome);
        return;
      }
      waitedFor.splice(waitedFor.indexOf(node), 1);
      if (outcome.kind === 'empty') empty ??= outcome;
      else lastError = outcome.error;
      // After a healthy node answered "empty", a paused node is not worth waiting for.
      const isEnough = empty !== undefined && order[asked]?.breaker?.rests() === true;
      if (asked < order.length && !isEnough) askNext();
      else if (waitedFor.length === 0) end(empty ?? { error: lastError });
    }

    function settle(node: Node, outcome: { readonly answer: unknown } | { readonly error: unknown }): void {
      const overtaken = waitedFor.slice(0, waitedFor.indexOf(node));
      for (const { breaker } of overtaken)
        breaker?.wasOvertaken(new BaseError('The node was overtaken by another one.'));
      end(outcome);
    }

    /** Cancels all pending questions. */
    function end(outcome: { readonly answer: unknown } | { readonly error: unknown }): void {
      stopHedge();
      isOver = true;
      others?.abort(noLongerWaitedFor);
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.answer);
    }

    askNext();
  });
}

/**
 * `empty`: a healthy node may return this, but so may one that lacks data, so another node is asked. `senseless`: no healthy
 * node returns this.
 */
type AnswerVerdict = 'sound' | 'empty' | 'senseless';

/** Checks only the form of a node's answer. For methods not listed here any result is valid. */
function judgeAnswer({ method, params }: RpcQuestion, answer: unknown): AnswerVerdict {
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
