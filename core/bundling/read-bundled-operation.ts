import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isAbsent } from '@tollfree/contract/rpc/field-forms';
import { type Address, concatHex, getAddress, type Hex, isAddressEqual, numberToHex, slice } from 'viem';
import { type EntryPointVersion, entryPointVersions } from '../domain/entry-point-version.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { type GasLimits, noGas, type RawUserOperation, type UserOperationWithGas } from '../domain/user-operation.ts';
import { entryPointOf } from '../evm/entry-point/entry-points.ts';
import { appendPaymasterSignature } from '../evm/entry-point/paymaster-signature.ts';
import { FieldError, readAddress, readBytes } from '../sponsorship/identify/field-readers.ts';
import { readUserOperation } from '../sponsorship/identify/read-user-operation.ts';
import type { Opened } from './bundling-parts.ts';

/** An operation for a bundler, read strictly. */
export type ReadForBundler = {
  readonly operation: UserOperationWithGas;
  /** Absent for an operation that pays for itself. */
  readonly paymaster?: Address;
  /** As sent: without a separate paymaster signature. */
  readonly paymasterAndData: Hex;
  readonly paymasterSignature?: Hex;
  /** In the form for the EntryPoint. */
  readonly bundled: Hex;
  readonly entryPoint: Address;
};

const ownLimits = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const;

/**
 * Reads an operation to send to a bundler. Its EntryPoint must be the paymaster's, or with `ANY` one of the chain's
 * (`ENTRY_POINT_NOT_SUPPORTED`). All limits are required.
 */
export function readForSending(
  opened: Opened,
  request: { readonly userOperation: RawUserOperation; readonly entryPoint: string },
): Result<ReadForBundler> {
  const { userOperation } = request;
  const missing = ownLimits.find((field) => isAbsent(userOperation[field]));
  if (missing === undefined) return readForBundler(opened, request);
  return refuse({ reason: 'INVALID_PARAMS', message: `${missing} must be a number`, field: missing });
}

/** Reads an operation to estimate: limits and fees may be missing, and then count as 0 (ERC-7769). */
export function readForBundler(
  { chain, contract, expose }: Opened,
  { userOperation, entryPoint: sent }: { readonly userOperation: RawUserOperation; readonly entryPoint: string },
): Result<ReadForBundler> {
  const { entryPoints, eip7702Marker } = chain.config;
  const own = contract.location.entryPoint;
  const offered = expose === 'ANY' ? Object.values(entryPoints) : [own];
  const entryPoint = offered.find((address) => address.toLowerCase() === sent.toLowerCase());
  const version = entryPoint && versionOf(entryPoint, entryPoints);
  if (entryPoint === undefined || version === undefined) {
    return refuse({
      reason: 'ENTRY_POINT_NOT_SUPPORTED',
      message: `Operations can be sent here for EntryPoint ${offered.map((address) => getAddress(address)).join(', ')}.`,
      field: 'entryPoint',
    });
  }
  const fee = (text: string | undefined) => (isAbsent(text) ? '0x0' : text);
  const fees = {
    maxFeePerGas: fee(userOperation.maxFeePerGas),
    maxPriorityFeePerGas: fee(userOperation.maxPriorityFeePerGas),
  };
  const read = readUserOperation({ ...userOperation, ...fees }, version, eip7702Marker);
  if (!read.ok) return read;
  const gas: GasLimits = { ...noGas, ...read.value.givenGas };
  const operation = { ...read.value.operation, gas };
  try {
    return accept({ operation, entryPoint: getAddress(entryPoint), ...readPaymaster(userOperation, version, gas) });
  } catch (cause) {
    if (!(cause instanceof FieldError)) throw cause;
    return refuse({ reason: 'INVALID_PARAMS', message: cause.message, field: cause.field });
  }
}

function versionOf(
  entryPoint: Address,
  entryPoints: Opened['chain']['config']['entryPoints'],
): EntryPointVersion | undefined {
  return entryPointVersions.find((version) => {
    const address = entryPoints[version];
    return address !== undefined && isAddressEqual(address, entryPoint);
  });
}

type PaymasterPart = Pick<ReadForBundler, 'paymaster' | 'paymasterAndData' | 'paymasterSignature' | 'bundled'>;

function readPaymaster(raw: RawUserOperation, version: EntryPointVersion, gas: GasLimits): PaymasterPart {
  if (!entryPointOf(version).isPacked) {
    const paymasterAndData = readOr('0x', 'paymasterAndData', raw.paymasterAndData);
    if (paymasterAndData === '0x') return { paymasterAndData, bundled: paymasterAndData };
    if (paymasterAndData.length < 42) throw new FieldError('paymasterAndData', 'must begin with an address');
    return { paymaster: getAddress(slice(paymasterAndData, 0, 20)), paymasterAndData, bundled: paymasterAndData };
  }
  if (isAbsent(raw.paymaster)) {
    return { paymasterAndData: '0x', bundled: '0x' };
  }
  const paymaster = readAddress('paymaster', raw.paymaster);
  const paymasterAndData = concatHex([
    paymaster.toLowerCase() as Hex,
    numberToHex(gas.paymasterVerificationGasLimit, { size: 16 }),
    numberToHex(gas.paymasterPostOpGasLimit, { size: 16 }),
    readOr('0x', 'paymasterData', raw.paymasterData),
  ]);
  const signature = readOr('0x', 'paymasterSignature', raw.paymasterSignature);
  const paymasterSignature = signature === '0x' ? undefined : signature;
  const bundled =
    paymasterSignature === undefined
      ? paymasterAndData
      : appendPaymasterSignature(paymasterAndData, paymasterSignature);
  return { paymaster, paymasterAndData, bundled, ...omitAbsent({ paymasterSignature }) };
}

function readOr(otherwise: Hex, field: string, text: string | undefined): Hex {
  return text === undefined ? otherwise : readBytes(field, text);
}
