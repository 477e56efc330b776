import { Attribution } from 'ox/erc8021';
import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi, toFunctionSelector } from 'viem';
import type { BenchTarget } from './bench-target.ts';

/** One HTTP request for the operation with a nonce key of its own. */
export type BodyOf = (target: BenchTarget, nonceKey: number) => string;

/** A way to ask for a decision. */
export type RequestKind = {
  /** The HTTP requests of one decision, each sent when the one before is answered. */
  readonly bodies: readonly [BodyOf, ...BodyOf[]];
  /** What is in the text of a refusal that has to be; any other answer without a result is a failure. */
  readonly refusal?: string;
  /** Tokens that the chain must have; 0 when absent. */
  readonly tokens?: number;
};

const executeAbi = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
const incrementSelector = '0xd09de08a';
/** A method of the same contract that is not whitelisted. */
const otherSelector = toFunctionSelector('fail()');
const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const sponsored = { mode: 'SPONSORED', sponsorshipInfo: { webhookData: {}, smartAccountInfo } };
const tokensOfQuotes = 10;

const sponsoredBody: BodyOf = (target, nonceKey) =>
  ask(target, { nonceKey, call: incrementSelector }, { ...sponsored, calculateGasLimits: false });

/**
 * A request of each kind. With the limits given and always the same call, the chain is asked once for the account's call and
 * not in the path of the others; every `new` call is another one, which the chain has to be asked about. Each has a nonce
 * key of its own, which makes it another operation that can land next to the rest.
 */
export const requestKinds = {
  SPONSORED: { bodies: [sponsoredBody] },
  'half refused': {
    bodies: [
      (target, nonceKey) =>
        ask(
          target,
          { nonceKey, call: nonceKey % 2 === 0 ? incrementSelector : otherSelector },
          { ...sponsored, calculateGasLimits: false },
        ),
    ],
    refusal: 'METHOD_NOT_WHITELISTED',
  },
  'quote, 1 token': {
    bodies: [
      (target, nonceKey) =>
        ask(
          target,
          { nonceKey, call: incrementSelector },
          { mode: 'ERC20', tokenInfo: { tokenList: [], preferredToken: target.token }, calculateGasLimits: false },
        ),
    ],
  },
  'quote, 10 tokens': {
    bodies: [
      (target, nonceKey) => {
        const tokenList = (target.tokens ?? []).slice(0, tokensOfQuotes);
        const context = { mode: 'ERC20', tokenInfo: { tokenList, preferredToken: '' }, calculateGasLimits: false };
        return ask(target, { nonceKey, call: incrementSelector }, context);
      },
    ],
    tokens: tokensOfQuotes,
  },
  'new, given': {
    bodies: [
      (target, nonceKey) =>
        ask(target, { nonceKey, call: newCall(nonceKey) }, { ...sponsored, calculateGasLimits: false }),
    ],
  },
  'new, estimated': {
    bodies: [
      (target, nonceKey) =>
        ask(target, { nonceKey, call: newCall(nonceKey) }, { ...sponsored, calculateGasLimits: true }),
    ],
  },
  'ERC-7677, new': {
    bodies: [askErc7677('pm_getPaymasterStubData', false), askErc7677('pm_getPaymasterData', true)],
  },
  "Pimlico's, new": {
    bodies: [
      (target, nonceKey) => {
        const operation = operationOf(target, { nonceKey, call: newCall(nonceKey) }, true);
        return rpcBody('pm_sponsorUserOperation', nonceKey, [operation, target.entryPoint, {}]);
      },
    ],
  },
} as const satisfies Readonly<Record<string, RequestKind>>;
export type RequestKindName = keyof typeof requestKinds;

/** The first request has no limits yet, as a client's that does not know them. */
function askErc7677(method: string, hasLimits: boolean): BodyOf {
  return (target, nonceKey) => {
    const operation = operationOf(target, { nonceKey, call: newCall(nonceKey) }, hasLimits);
    return rpcBody(method, nonceKey, [operation, target.entryPoint, '0x7a69', {}]);
  };
}

/** A call of `increment` with bytes of its own at the end, which the function does not read: another call each time. */
function newCall(nonceKey: number): Hex {
  return concat([incrementSelector, Attribution.toDataSuffix({ codes: [`call${nonceKey}`] })]);
}

type Asked = { readonly nonceKey: number; readonly call: Hex };

function ask(target: BenchTarget, asked: Asked, context: object): string {
  return rpcBody('pm_getFeeQuoteOrData', asked.nonceKey, [operationOf(target, asked, true), context]);
}

function operationOf(target: BenchTarget, { nonceKey, call }: Asked, hasLimits: boolean): object {
  const limit = (gas: number) => numberToHex(hasLimits ? gas : 0);
  return {
    sender: target.senders[nonceKey % target.senders.length],
    nonce: `0x${nonceKey.toString(16)}0000000000000000`,
    callData: encodeFunctionData({ abi: executeAbi, args: [target.target, 0n, call] }),
    callGasLimit: limit(100_000),
    verificationGasLimit: limit(100_000),
    preVerificationGas: limit(50_000),
    maxFeePerGas: numberToHex(1_000_000_000),
    maxPriorityFeePerGas: numberToHex(1_000_000_000),
    signature: '0x',
  };
}

function rpcBody(method: string, id: number, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

let nonceKeys = 1;

/** A nonce key that no request had before. */
export function nextNonceKey(): number {
  return nonceKeys++;
}

/** A request for an operation, from the address of another client for each nonce key. */
export function requestOf(bodyOf: BodyOf, target: BenchTarget, nonceKey: number) {
  const address = [10, (nonceKey >> 16) & 255, (nonceKey >> 8) & 255, nonceKey & 255].join('.');
  return {
    body: bodyOf(target, nonceKey),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
  };
}
