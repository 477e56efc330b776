import { type Address, concat, type Hex, numberToHex, size, slice } from 'viem';
import { z } from 'zod';
import type { GasLimits, UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { userOperationHash } from '../../../core/evm/entry-point/entry-points.ts';
import { askRpc, type RpcAnswer } from '../../support/service/chain-rpc.ts';
import type { RobberAccount } from '../accounts/robber-account.ts';
import type { OpenCell } from '../open-cell.ts';
import {
  type Asking,
  type Authorization,
  changedLimit,
  type LimitChanges,
  limitNames,
  sameLimits,
} from '../plan/plan.ts';
import { padBytes } from './pad-bytes.ts';

/** What the service has signed, in the operation. */
export type Signed = { readonly operation: UserOperationWithGas; readonly paymasterAndData: Hex };
export type Answer = { readonly signed?: Signed; readonly refusal?: string };

/** One request about an operation. */
export type Question = {
  readonly account: RobberAccount;
  readonly operation: UserOperationWithGas;
  readonly asking: Asking;
  /** Whether the operation makes its account. */
  readonly fresh: boolean;
  /** What the service estimates for it; without it no limits can be given. */
  readonly estimate?: GasLimits;
};

export async function ask(open: OpenCell, question: Question): Promise<Answer> {
  if (open.cell.isRelayed) return askRelay(open, question);
  const { asking, estimate } = question;
  const gas = estimate !== undefined && asking.given !== undefined ? change(estimate, asking.given) : undefined;
  const operation = gas === undefined ? question.operation : { ...question.operation, gas };
  const fields = await rpcFields(open, { ...question, operation }, gas);
  const context = contextOf(open, asking, gas !== undefined);
  const { world } = open;
  const tank = asking.tenant === 'own' ? open.tank : await world.otherTank(open.cell.family);
  world.bundler?.estimateWith(asking.bundler ?? sameLimits);
  const entryPoint = world.devnet.entryPoints[operation.entryPointVersion];
  const params =
    asking.method === 'pm_sponsorUserOperation'
      ? [fields, context]
      : [fields, entryPoint, numberToHex(world.devnet.chainId), context];
  const answer = readAnswer(operation, await askRpc(tank.rpcUrl, asking.method, params));
  if (asking.tenant === 'other' && answer.signed !== undefined) open.signedElsewhere.add(hashOf(open, answer.signed));
  return answer;
}

/** Has an operation relayed, which its account has signed; a request for a stub is one for its limits. */
async function askRelay(open: OpenCell, question: Question): Promise<Answer> {
  const { account, asking, estimate } = question;
  const { world, cell, tank } = open;
  const gas = estimate === undefined ? question.operation.gas : change(estimate, asking.given ?? sameLimits);
  const free = { ...question.operation, gas, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
  const isPreparation = asking.method === 'pm_getPaymasterStubData';
  const own = account.signWork?.(asking.work) ?? (await account.sign(free, '0x'));
  const unsigned = isPreparation || asking.signature !== 'placeholder';
  const signature = unsigned ? signatureOf(open, question) : padBytes(own, asking.signaturePadding);
  const operation = { ...free, signature };
  const signed: Signed = { operation, paymasterAndData: '0x' };
  world.relay.expect(operation, hashOf(open, signed));
  const { paymaster: _, paymasterData: __, ...fields } = await rpcFields(open, { ...question, operation }, gas);
  const { namesAccount } = asking;
  const answer = await askRpc(tank.rpcUrl, isPreparation ? 'tollfree_prepareRelay' : 'tollfree_relayUserOperation', [
    { ...fields, signature },
    world.devnet.entryPoints[cell.account.version],
    numberToHex(world.devnet.chainId),
    namesAccount ? { sponsorshipInfo: { webhookData: {}, smartAccountInfo: cell.account.info } } : {},
  ]);
  if (answer.code !== undefined) return { refusal: answer.reason ?? answer.message ?? 'unknown' };
  if (!isPreparation) return { signed };
  const { callGasLimit, verificationGasLimit, preVerificationGas } = answerSchema.parse(answer.result);
  const limits = { callGasLimit, verificationGasLimit, preVerificationGas } as Pick<
    GasLimits,
    'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
  >;
  return { signed: { ...signed, operation: { ...operation, gas: { ...operation.gas, ...limits } } } };
}

/** The hash of an operation as it was signed. */
export function hashOf({ world: { devnet } }: OpenCell, { operation, paymasterAndData }: Signed): Hex {
  const entryPoint = devnet.entryPoints[operation.entryPointVersion];
  return userOperationHash({ operation, paymasterAndData, entryPoint, chainId: devnet.chainId });
}

function change(estimate: GasLimits, given: LimitChanges): GasLimits {
  const changed = (name: keyof GasLimits) => changedLimit(estimate[name], given[name]);
  const [call, verification, pre, paymasterVerification, postOp] = limitNames.map(changed);
  return {
    callGasLimit: call ?? 0n,
    verificationGasLimit: verification ?? 0n,
    preVerificationGas: pre ?? 0n,
    paymasterVerificationGasLimit: paymasterVerification ?? 0n,
    paymasterPostOpGasLimit: postOp ?? 0n,
  };
}

function contextOf({ cell, token }: OpenCell, { namesAccount }: Asking, isGiven: boolean) {
  const payment = token === undefined ? {} : { tokenInfo: { feeTokenAddress: token.address } };
  return {
    mode: cell.mode,
    ...payment,
    calculateGasLimits: !isGiven,
    sponsorshipInfo: { webhookData: {}, ...(namesAccount ? { smartAccountInfo: cell.account.info } : {}) },
  };
}

async function rpcFields(
  open: OpenCell,
  question: Question,
  gas: GasLimits | undefined,
): Promise<Record<string, unknown>> {
  const { operation, asking } = question;
  const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, initCode, entryPointVersion } = operation;
  const limits = gas === undefined ? {} : hexOf(gas, ['callGasLimit', 'verificationGasLimit', 'preVerificationGas']);
  const plain = {
    sender,
    nonce: numberToHex(nonce),
    callData,
    maxFeePerGas: numberToHex(maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
    signature: signatureOf(open, question),
    ...limits,
    ...(await authorizationOf(question)),
  };
  const paymaster: Address = open.tank.contract;
  const padding = padBytes('0x', asking.paymasterPadding);
  if (entryPointVersion === '0.6') {
    return { ...plain, initCode, paymasterAndData: padding === '0x' ? '0x' : concat([paymaster, padding]) };
  }
  const ownGas = gas === undefined ? {} : hexOf(gas, ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit']);
  return {
    ...plain,
    ...(initCode === '0x' ? {} : { factory: slice(initCode, 0, 20), factoryData: dataBehindFactory(initCode) }),
    ...(padding === '0x' && gas === undefined ? {} : { paymaster, paymasterData: padding }),
    ...ownGas,
  };
}

function dataBehindFactory(initCode: Hex): Hex {
  return size(initCode) > 20 ? slice(initCode, 20) : '0x';
}

function hexOf(gas: GasLimits, names: readonly (keyof GasLimits)[]): Record<string, Hex> {
  return Object.fromEntries(names.map((name) => [name, numberToHex(gas[name])]));
}

function signatureOf({ cell }: OpenCell, { account, asking }: Question): Hex {
  const { signature, signaturePadding, work } = asking;
  const placeholder = account.signWork?.(work) ?? cell.account.placeholder;
  const values: Record<Asking['signature'], Hex> = {
    placeholder,
    zeros: `0x${'00'.repeat(size(placeholder))}`,
    ones: `0x${'ff'.repeat(size(placeholder))}`,
    empty: '0x',
    cut: slice(placeholder, 0, size(placeholder) - 1),
  };
  return padBytes(values[signature], signaturePadding);
}

/** Whether a request or a bundle carries the account's authorization. */
export function carriesAuthorization(
  authorization: Authorization,
  { account, fresh }: Pick<Question, 'account' | 'fresh'>,
) {
  if (account.authorization === undefined || authorization === 'never') return undefined;
  return authorization === 'always' || fresh ? account.authorization : undefined;
}

async function authorizationOf(question: Question): Promise<object> {
  const authorization = carriesAuthorization(question.asking.authorization, question);
  if (authorization === undefined) return {};
  const { address, chainId, nonce, r, s, yParity = 0 } = await authorization.sign();
  return {
    eip7702Auth: {
      address,
      r,
      s,
      chainId: numberToHex(chainId),
      nonce: numberToHex(nonce),
      yParity: numberToHex(yParity),
    },
  };
}

const hex = z.templateLiteral(['0x', z.string()]);
const quantity = z.union([z.string(), z.int()]).transform((value) => BigInt(value));
const answerSchema = z.object({
  paymasterAndData: hex.optional(),
  paymaster: hex.optional(),
  paymasterData: hex.optional(),
  callGasLimit: quantity.optional(),
  verificationGasLimit: quantity.optional(),
  preVerificationGas: quantity.optional(),
  paymasterVerificationGasLimit: quantity.optional(),
  paymasterPostOpGasLimit: quantity.optional(),
});

function readAnswer(asked: UserOperationWithGas, answer: RpcAnswer): Answer {
  if (answer.code !== undefined) return { refusal: answer.reason ?? answer.message ?? 'unknown' };
  const { paymasterAndData, paymaster, paymasterData, ...limits } = answerSchema.parse(answer.result);
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  const operation = { ...asked, gas: { ...asked.gas, ...Object.fromEntries(given) } };
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = operation.gas;
  const packed =
    asked.entryPointVersion === '0.6' || paymaster === undefined || paymasterData === undefined
      ? paymasterAndData
      : concat([paymaster, word(paymasterVerificationGasLimit), word(paymasterPostOpGasLimit), paymasterData]);
  if (packed === undefined) return { refusal: 'no paymaster data' };
  return { signed: { operation, paymasterAndData: packed } };
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 16 });
}
