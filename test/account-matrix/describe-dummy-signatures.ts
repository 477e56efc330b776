import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi, size } from 'viem';
import { getUserOperationHash, toPackedUserOperation, type UserOperation } from 'viem/account-abstraction';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryPointVersions } from '../../core/domain/entry-point-version.ts';
import { landByService } from '../support/accounts/land-by-service.ts';
import type { MatrixAccount } from '../support/accounts/matrix-accounts.ts';
import { type ClientLab, openClientLab } from '../support/service/client-lab.ts';

/** An account with the number of signatures that each of its operations has, 1 if absent. */
export type SigningAccount = MatrixAccount & {
  readonly signatures?: number;
  /** Gas that validating the real signature may cost beyond the dummy one; {@link usualDifference} if absent. */
  readonly difference?: number;
};

/** The most gas by which a real signature costs more than the published dummy of nearly all accounts. */
const usualDifference = 2_000;

const abi06 = parseAbi([
  'struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(UserOperation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
]);
const abiPacked = parseAbi([
  'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
  'function validateUserOp(PackedUserOperation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256)',
]);

type Frame = { readonly gasUsed: Hex; readonly error?: string };

/** What the service adds for a signature that a simulation with dummies does not reach, in gas. */
const gasOfSignature = 7_000;

/**
 * Each account lands two operations with the limits that the service signed for its published dummy signature, and validating its
 * real signature costs little more, except what the service adds for further signatures.
 */
export function describeDummySignatures(accounts: readonly SigningAccount[]): void {
  let lab: ClientLab;
  beforeAll(async () => {
    lab = await openClientLab();
    // Some are at other addresses than on public chains.
    const management = lab.service.managementOf(lab.authToken);
    for (const version of entryPointVersions) {
      await management.setPolicy({ apiKey: lab.paymaster(version).apiKey, policy: { accounts: 'ANY' } });
    }
  });
  afterAll(() => lab.close());

  /** Gas of `validateUserOp` in the state before a block; undefined if the account reverts. */
  async function validationGas({ version }: MatrixAccount, operation: UserOperation, blockNumber: bigint) {
    const { client, chainId, entryPoints } = lab.devnet;
    const entryPoint = entryPoints[version];
    const userOpHash = getUserOperationHash({
      chainId,
      entryPointAddress: entryPoint,
      entryPointVersion: version === '0.9' ? '0.8' : version,
      userOperation: operation as never,
    });
    const data =
      version === '0.6'
        ? encodeFunctionData({ abi: abi06, args: [withInitCode(operation) as never, userOpHash, 0n] })
        : encodeFunctionData({ abi: abiPacked, args: [toPackedUserOperation(operation as never), userOpHash, 0n] });
    const call = { from: entryPoint, to: operation.sender, data };
    const traced = await client.request<{ Method: string; Parameters: unknown[]; ReturnType: Frame }>({
      method: 'debug_traceCall',
      params: [call, numberToHex(blockNumber), { tracer: 'callTracer' }],
    });
    return traced.error === undefined ? Number(traced.gasUsed) - intrinsicGas(data) : undefined;
  }

  test.each(accounts)('$kind on EntryPoint $version lands with the limits of its dummy', async (row) => {
    const opened = await row.open(lab.devnet);
    await landByService(lab, row.version, opened);
    const { signed, receipt } = await landByService(lab, row.version, opened);
    const before = receipt.receipt.blockNumber - 1n;
    const real = await validationGas(row, signed, before);
    const dummy = await validationGas(row, { ...signed, signature: await opened.account.getStubSignature() }, before);
    if (real === undefined) throw new Error('The account does not validate what has landed.');
    // An account that reverts on its own dummy is estimated with another signature.
    if (dummy === undefined) return;
    const ofSignatures = ((row.signatures ?? 1) - 1) * gasOfSignature;
    expect(real - dummy).toBeLessThanOrEqual((row.difference ?? usualDifference) + ofSignatures);
  });
}

function withInitCode(operation: UserOperation) {
  const {
    factory,
    factoryData = '0x',
    initCode = '0x',
    paymasterAndData = '0x',
  } = operation as UserOperation<'0.7'> & {
    readonly initCode?: Hex;
    readonly paymasterAndData?: Hex;
  };
  return {
    ...operation,
    initCode: factory === undefined ? initCode : concat([factory, factoryData]),
    paymasterAndData,
  };
}

/** What a transaction costs before its call begins. */
function intrinsicGas(data: Hex): number {
  const zeros =
    data
      .slice(2)
      .match(/../g)
      ?.filter((byte) => byte === '00').length ?? 0;
  return 21_000 + 4 * zeros + 16 * (size(data) - zeros);
}
