import { type Address, getAddress, type Hex, isAddress } from 'viem';
import type { UpstreamConfig } from '../../domain/chain-config.ts';
import type { EntryPointVersion } from '../../domain/entry-point-version.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';

/** Most bytes of a paymaster's own data. The published contracts have fewer than 300. */
const maxDataBytes = 1_024;

/** Gas for a paymaster's validation if its stub leaves that to the client. */
const usualValidationGas = 75_000n;

/** The parts of a second paymaster's answer that are used. The two limits are 0 for EntryPoint 0.6. */
export type UpstreamFields = {
  readonly paymaster: Address;
  readonly paymasterData: Hex;
  readonly paymasterVerificationGasLimit: bigint;
  readonly paymasterPostOpGasLimit: bigint;
  /** For a stub: it is signed already. */
  readonly isFinal: boolean;
};

type Limits = Pick<UpstreamFields, 'paymasterVerificationGasLimit' | 'paymasterPostOpGasLimit'>;

/**
 * The fields of an answer to one of the methods of ERC-7677, in the form of the EntryPoint. Undefined for anything else: a
 * contract that the operator does not name, more gas than allowed, another form. `before`: limits of its stub, which final
 * data may leave out.
 */
export function readUpstreamFields(
  result: unknown,
  asked: {
    readonly version: EntryPointVersion;
    readonly config: Pick<UpstreamConfig, 'paymasters' | 'maxPaymasterGas'>;
    readonly before?: Limits;
  },
): UpstreamFields | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const fields = result as Readonly<Record<string, unknown>>;
  const { version, config, before } = asked;
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
  if (paymasterVerificationGasLimit + paymasterPostOpGasLimit > BigInt(config.maxPaymasterGas)) return undefined;
  return { ...named, paymasterVerificationGasLimit, paymasterPostOpGasLimit, isFinal };
}

type Named = Pick<UpstreamFields, 'paymaster' | 'paymasterData'>;

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
