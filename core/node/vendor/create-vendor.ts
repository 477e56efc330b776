import { Agent, request } from 'undici';
import { type Address, getAddress, type Hex, isAddress } from 'viem';
import type { Clock } from '../../base/time/clock.ts';
import type { VendorConfig } from '../../domain/chain-config.ts';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import type { UnitPrices } from '../../domain/unit-prices.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';

/** Most bytes of an answer: paymaster data with the sponsor's name and icon are below. */
const maxVendorBytes = 65_536;
/** After this many failures in a row, the vendor is paused. */
const maxFailuresInRow = 3;
const restMs = 30_000;
/** Most concurrent questions: a slow vendor must not accumulate those of all callers. */
const maxOpen = 128;

export const vendorMethods = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const;
export type VendorMethod = (typeof vendorMethods)[number];
/** `refused`: the vendor declined. `unusable`: an answer that is not accepted. `failed`: no answer, or HTTP status 5xx. */
type VendorOutcome = 'answered' | 'refused' | 'unusable' | 'failed';
export type VendorNote = (method: VendorMethod, outcome: VendorOutcome) => void;

/** Of a refusal only the code is kept: a third party's text goes into no answer and no log. */
type VendorAnswer<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'refused'; readonly code?: number }
  | { readonly kind: 'unusable' | 'failed'; readonly cause: string };

/** A second paymaster. */
export type Vendor = {
  readonly config: VendorConfig;
  /** Why it is not asked at the moment, for any request; undefined when it is. */
  fault(): string | undefined;
  /**
   * Asks once. `read` returns undefined for an unusable answer. That is no failure, since it may be about this operation
   * alone, as a refusal is. Never rejects.
   */
  ask<T extends object>(
    method: VendorMethod,
    params: readonly unknown[],
    read: (result: unknown) => T | undefined,
  ): Promise<VendorAnswer<T>>;
};

/** Follows no redirection and accepts no compression, so an answer's size is that of its bytes. */
export function createVendor(
  config: VendorConfig,
  parts: {
    readonly clock: Clock;
    readonly note?: VendorNote | undefined;
    /** Called when a pause begins. */
    readonly onRest?: (cause: string) => void;
    /** Why nothing may be sponsored by anyone. */
    readonly blocked?: (() => string | undefined) | undefined;
  },
): Vendor {
  const { clock, note = () => undefined, onRest = () => undefined, blocked = () => undefined } = parts;
  const agent = new Agent({ maxResponseSize: maxVendorBytes, connect: { timeout: config.timeoutMs } });
  let failures = 0;
  let restsUntil = 0;
  let open = 0;

  function failed(cause: string): void {
    failures += 1;
    if (failures < maxFailuresInRow) return;
    restsUntil = clock.now() + restMs;
    if (failures === maxFailuresInRow) onRest(cause);
  }

  return {
    config,
    fault: () =>
      blocked() ??
      (failures >= maxFailuresInRow && clock.now() < restsUntil ? 'it has failed too often in a row' : undefined),
    ask: async (method, params, read) => {
      // After a pause, a single trial runs until it has its answer.
      if (failures >= maxFailuresInRow) restsUntil = clock.now() + restMs;
      if (open >= maxOpen) return tooManyOpen;
      open += 1;
      const answer = await post(agent, config, { method, params });
      open -= 1;
      const judged = judge(answer, read);
      if (judged.kind === 'failed') failed(judged.cause);
      else failures = 0;
      note(method, judged.kind);
      return judged;
    },
  };
}

function judge<T extends object>(
  answer: VendorAnswer<unknown>,
  read: (result: unknown) => T | undefined,
): VendorAnswer<T> {
  if (answer.kind !== 'answered') return answer;
  const value = read(answer.value);
  return value === undefined ? useless : { kind: 'answered', value };
}

const useless = {
  kind: 'unusable',
  cause: 'its answer names no contract, another contract, more gas or another form',
} as const;

const tooManyOpen = { kind: 'failed', cause: 'too many questions to it are open' } as const;

let lastId = 0;

async function post(
  dispatcher: Agent,
  { url, timeoutMs }: VendorConfig,
  question: { readonly method: string; readonly params: readonly unknown[] },
): Promise<VendorAnswer<unknown>> {
  lastId += 1;
  try {
    const { statusCode, body } = await request(url.reveal(), {
      dispatcher,
      method: 'POST',
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      headers: { 'content-type': 'application/json', 'user-agent': 'tollfree' },
      body: JSON.stringify({ jsonrpc: '2.0', id: lastId, ...question }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return readAnswer(statusCode, await body.text());
  } catch {
    // The error may contain the URL, which is a secret.
    return { kind: 'failed', cause: 'it did not answer in time, or with too many bytes' };
  }
}

function readAnswer(status: number, text: string): VendorAnswer<unknown> {
  if (status >= 500) return { kind: 'failed', cause: `it answered with HTTP status ${status}` };
  const answer = parseObject(text);
  if (answer?.error !== undefined && answer.error !== null) {
    const { code } = Object(answer.error) as { code?: unknown };
    return typeof code === 'number' && Number.isSafeInteger(code) ? { kind: 'refused', code } : { kind: 'refused' };
  }
  if (status < 200 || status > 299) return { kind: 'unusable', cause: `it answered with HTTP status ${status}` };
  if (answer === undefined) return { kind: 'unusable', cause: 'its answer is not JSON' };
  return { kind: 'answered', value: answer.result };
}

function parseObject(text: string): { readonly result?: unknown; readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Most bytes of a paymaster's own data. The published contracts have fewer than 300. */
const maxDataBytes = 1_024;

/** Gas for a paymaster's validation if its stub leaves that to the client. */
const usualValidationGas = 75_000n;

/** The parts of a second paymaster's answer that are used. The two limits are 0 for EntryPoint 0.6. */
export type VendorFields = {
  readonly paymaster: Address;
  readonly paymasterData: Hex;
  readonly paymasterVerificationGasLimit: bigint;
  readonly paymasterPostOpGasLimit: bigint;
  /** For a stub: it is signed already. */
  readonly isFinal: boolean;
};

type Limits = Pick<VendorFields, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/**
 * Most gas that another paymaster may use for its validation and `postOp` together, on a chain with these prices: the
 * operator's number, else room for a new slot and four changed ones, with mainnet's prices 200,000.
 */
export function mostPaymasterGas(
  { maxPaymasterGas }: Pick<VendorConfig, 'maxPaymasterGas'>,
  { newSlot, changedSlot }: UnitPrices,
): bigint {
  return maxPaymasterGas === undefined ? newSlot + 4n * changedSlot + 157_900n : BigInt(maxPaymasterGas);
}

/**
 * The fields of an answer to one of the methods of ERC-7677, in the form of the EntryPoint. Undefined for anything else: a
 * contract that the operator does not name, more gas than allowed, another form. `prices`: those of the chain. `before`:
 * limits of its stub, which final data may leave out.
 */
export function readVendorFields(
  result: unknown,
  asked: {
    readonly version: EntryPointVersion;
    readonly config: Pick<VendorConfig, 'paymasters' | 'maxPaymasterGas'>;
    readonly prices: UnitPrices;
    readonly before?: Limits;
  },
): VendorFields | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const fields = result as Readonly<Record<string, unknown>>;
  const { version, config, prices, before } = asked;
  const isPacked = entryPointOf(version).isPacked;
  const named = isPacked ? readParts(fields) : readTogether(fields.paymasterAndData);
  if (named === undefined || !config.paymasters.includes(named.paymaster) || takesTokens(named)) return undefined;
  const isFinal = fields.isFinal === true;
  if (!isPacked) return { ...named, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n, isFinal };
  const paymasterVerificationGasLimit = readGas(
    fields.paymasterVerificationGasLimit,
    before?.paymasterVerificationGasLimit ?? usualValidationGas,
  );
  const paymasterPostOpGasLimit = readGas(fields.paymasterPostOpGasLimit, before?.paymasterPostOpGasLimit ?? 0n);
  if (paymasterVerificationGasLimit === undefined || paymasterPostOpGasLimit === undefined) return undefined;
  if (paymasterVerificationGasLimit + paymasterPostOpGasLimit > mostPaymasterGas(config, prices)) return undefined;
  return { ...named, paymasterVerificationGasLimit, paymasterPostOpGasLimit, isFinal };
}

type Named = Pick<VendorFields, 'paymaster' | 'paymasterData'>;

function readParts({ paymaster, paymasterData }: Readonly<Record<string, unknown>>): Named | undefined {
  if (typeof paymaster !== 'string' || !isAddress(paymaster, { strict: false })) return undefined;
  const data = readBytes(paymasterData, maxDataBytes);
  return data === undefined ? undefined : { paymaster: getAddress(paymaster), paymasterData: data };
}

function readTogether(paymasterAndData: unknown): Named | undefined {
  const bytes = readBytes(paymasterAndData, 20 + maxDataBytes);
  if (bytes === undefined || bytes.length < 42) return undefined;
  return { paymaster: getAddress(bytes.slice(0, 42)), paymasterData: `0x${bytes.slice(42)}` };
}

function readBytes(value: unknown, maxBytes: number): Hex | undefined {
  if (typeof value !== 'string' || value.length > 2 + 2 * maxBytes) return undefined;
  return /^0x(?:[0-9a-f]{2})*$/i.test(value) ? (value.toLowerCase() as Hex) : undefined;
}

function readGas(value: unknown, otherwise: bigint): bigint | undefined {
  if (value === undefined || value === null) return otherwise;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^(0x[0-9a-f]{1,12}|\d{1,12})$/i.test(value) ? BigInt(value) : undefined;
}

/**
 * Pimlico’s singletons, which sponsor and accept tokens: the mode is in the upper bits of the first byte, 0 for sponsoring.
 */
const singletons: ReadonlySet<string> = new Set([
  '0x6666666666667849c56f2850848ce1c4da65c68b',
  '0x777777777777aec03fd955926dbf81597e66834c',
  '0x888888888888ec68a58ab8094cc1ad20ba3d2402',
]);

/** Whether the account would pay: it may have approved tokens for the contract at another time. */
function takesTokens({ paymaster, paymasterData }: Named): boolean {
  return singletons.has(paymaster.toLowerCase()) && Number.parseInt(paymasterData.slice(2, 4), 16) >> 1 !== 0;
}
