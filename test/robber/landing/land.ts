import {
  type Address,
  concat,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseEventLogs,
  type SignedAuthorization,
  type TransactionReceipt,
} from 'viem';
import { entryPoint06Abi, entryPoint08Abi } from 'viem/account-abstraction';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { packUserOperation } from '../../../core/evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../../core/evm/entry-point/v0.6.ts';
import { carriesAuthorization, type Question, type Signed } from '../asking/ask.ts';
import { padBytes } from '../asking/pad-bytes.ts';
import type { OpenCell } from '../open-cell.ts';
import type { Landing } from '../plan/plan.ts';

/** An operation that the service has signed, and whose it is. */
export type Won = Signed & Pick<Question, 'account' | 'fresh'>;

export type Landed = {
  readonly receipt: TransactionReceipt;
  /** Operations of the bundle whose calls ran, and whose calls reverted. */
  readonly succeeded: number;
  readonly reverted: number;
};

/** Lands operations in one bundle of the attacker's. */
export async function land(
  { world, cell, wallet }: OpenCell,
  operations: readonly Won[],
  landing: Landing,
): Promise<Landed> {
  const authorizations = new Map<Address, SignedAuthorization>();
  const bundle: Signed[] = [];
  for (const won of operations) {
    const { sender } = won.account;
    const authorization = carriesAuthorization(landing.authorization, won);
    if (authorization !== undefined && !authorizations.has(sender)) {
      authorizations.set(sender, await authorization.sign());
    }
    if (cell.isRelayed) {
      // The operator's bundler lands what it was handed.
      bundle.push(won);
      continue;
    }
    const changed = changeSigned(won, landing.change);
    const signature =
      won.account.signWork?.(landing.work) ?? (await won.account.sign(changed.operation, changed.paymasterAndData));
    const padded = padBytes(signature, landing.signaturePadding);
    bundle.push({ ...changed, operation: { ...changed.operation, signature: padded } });
  }
  const entryPoint = world.devnet.entryPoints[cell.account.version];
  const from = cell.isRelayed ? world.relay.executor : wallet;
  const data = encodeHandleOps(bundle, from.address);
  const authorizationList = [...authorizations.values()];
  const receipt = await from.send(
    landing.bundler === 'wallet'
      ? { to: entryPoint, data, authorizationList }
      : { to: world.generator, data: concat([entryPoint, compressBytes(data)]), authorizationList },
  );
  const events = parseEventLogs({ abi: entryPoint08Abi, logs: receipt.logs, eventName: 'UserOperationEvent' });
  const succeeded = events.filter(({ args }) => args.success).length;
  return { receipt, succeeded, reverted: events.length - succeeded };
}

/** What the service has not signed. */
function changeSigned({ operation, paymasterAndData }: Signed, change: Landing['change']): Signed {
  const { gas } = operation;
  switch (change) {
    case 'none':
      return { operation, paymasterAndData };
    case 'paymasterAndData':
      return { operation, paymasterAndData: concat([paymasterAndData, `0x${'ff'.repeat(64)}`]) };
    case 'initCode':
      return { operation: { ...operation, initCode: '0x' }, paymasterAndData };
    case 'callGasLimit':
    case 'verificationGasLimit':
    case 'preVerificationGas':
      return { operation: { ...operation, gas: { ...gas, [change]: 2n * gas[change] } }, paymasterAndData };
    default:
      return { operation: { ...operation, [change]: 2n * operation[change] }, paymasterAndData };
  }
}

function encodeHandleOps(bundle: readonly Signed[], beneficiary: Hex): Hex {
  const functionName = 'handleOps';
  const is06 = bundle[0]?.operation.entryPointVersion === '0.6';
  const pack = <T>(form: (operation: UserOperationWithGas, paymasterAndData: Hex) => T) =>
    bundle.map(({ operation, paymasterAndData }) => form(operation, paymasterAndData));
  return is06
    ? encodeFunctionData({ abi: entryPoint06Abi, functionName, args: [pack(toUserOperation06), beneficiary] })
    : encodeFunctionData({ abi: entryPoint08Abi, functionName, args: [pack(packUserOperation), beneficiary] });
}

/** Below this a repeated byte is cheaper sent than made. */
const shortestRun = 64;

/** The pieces of which `GeneratingBundler` makes these bytes in memory. */
function compressBytes(bytes: Hex): Hex {
  const source = Buffer.from(bytes.slice(2), 'hex');
  const pieces: Hex[] = [];
  let sentUpTo = 0;
  const send = (end: number) => {
    if (end > sentUpTo) pieces.push(piece(0, end - sentUpTo, `0x${source.toString('hex', sentUpTo, end)}`));
  };
  for (let at = 0; at < source.length; ) {
    const byte = source[at] ?? 0;
    let end = at + 1;
    while (end < source.length && source[end] === byte) end += 1;
    if (end - at >= shortestRun) {
      send(at);
      pieces.push(byte === 0 ? piece(1, end - at, '0x') : piece(2, end - at, numberToHex(byte, { size: 1 })));
      sentUpTo = end;
    }
    at = end;
  }
  send(source.length);
  return concat(pieces);
}

function piece(kind: number, length: number, data: Hex): Hex {
  return concat([numberToHex(kind, { size: 1 }), numberToHex(length, { size: 3 }), data]);
}
