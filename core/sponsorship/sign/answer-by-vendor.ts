import { omitAbsent } from '@tollfree/contract/omit-absent';
import { concatHex, type Hex, numberToHex, size } from 'viem';
import { z } from 'zod';
import { maxBigint } from '../../base/values/integers.ts';
import { noteRuling } from '../../decisions/decision-draft.ts';
import { decisionRow } from '../../decisions/record-decisions.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../domain/user-operation.ts';
import { dummySignature } from '../../evm/account-codes/known-code.ts';
import { entryPointOf } from '../../evm/entry-point/entry-points.ts';
import { toRpcOperation } from '../../evm/entry-point/rpc-operation.ts';
import type { SponsoredTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import {
  readVendorFields,
  type Vendor,
  type VendorFields,
  type VendorMethod,
} from '../../node/vendor/create-vendor.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';
import type { WithDataGas } from '../gas/choose-gas.ts';
import type { Held } from '../hold/hold-worst-case.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { stubTerms } from '../sponsored-terms.ts';
import { type HeldVendor, type MayAskVendor, mostGasPerByte } from '../vendor.ts';
import type { UndecidedSignature } from './sign-paymaster-data.ts';

type Needed = MayAskVendor & ReadOperation & Held<SponsoredTerms> & Partial<WithDataGas> & HeldVendor;
type Answered = { readonly answer: UndecidedSignature };

/** Another paymaster's answer in our form: the operation with its limits, and its data. */
type Sponsored = {
  readonly fields: VendorFields;
  readonly gas: GasLimits;
  /** Unix seconds, for an answer that was given before. */
  readonly validUntil?: number;
};

/**
 * Has another paymaster sponsor what was held for. Its answer is stored before it is returned. If it does not answer, its
 * budget gets the reserved amount back, and the caller learns why ours does not sign.
 */
export async function answerByVendor(request: Needed): Promise<Result<Answered>> {
  const { parts, draft, vendor, reservation, holdId } = request;
  const rule = 'vendor';
  if (parts.vendorQuestions === undefined) {
    noteRuling(draft, { rule, finding: ['vendor-unasked'] });
    return accept({ answer: toAnswer(request, unasked(request)) });
  }
  if (reservation.answer !== undefined) {
    return accept({ answer: toAnswer(request, readKept(reservation.answer, holdId)) });
  }
  const question = { holdId, reservation };
  const sponsored = await ask(request);
  if (typeof sponsored === 'string') {
    await parts.vendorQuestions.giveBack(question);
    noteRuling(draft, { rule, finding: ['vendor-refused', sponsored], refusal: vendor.why });
    return refuse(vendor.why);
  }
  noteRuling(draft, {
    rule,
    finding: ['vendor-answer', sponsored.fields.paymaster, vendor.worstCase],
  });
  const kept = await parts.vendorQuestions.keepAnswer(question, {
    requestKey: request.requestKey,
    answer: writeKept(sponsored, request.signedTerms.validUntil),
    validUntil: request.signedTerms.validUntil,
    decision: decisionRow(draft, 'signed', undefined),
  });
  if (!kept) {
    await parts.vendorQuestions.giveBack(question);
    return refuse(vendor.why);
  }
  parts.noteVendor?.({ chainId: request.chain.config.chainId, usdMicros: vendor.worstCaseUsdMicros });
  return accept({ answer: toAnswer(request, sponsored) });
}

/**
 * Requests a stub, whose contract and limits the data will be signed for, and then the data. Returns a text if there is
 * none.
 */
async function ask(request: Needed): Promise<Sponsored | string> {
  const { vendor, operation } = request;
  const stub = await askFields(request, vendor.client, 'pm_getPaymasterStubData', {
    operation,
    paymasterAndData: '0x',
  });
  if (typeof stub === 'string') return stub;
  const gas = gasWith(request, stub);
  if (isAboveWorst(request, gas)) return 'its stub makes the operation cost more than was set aside';
  // Its signature covers the limits of the question.
  if (stub.isFinal && gas.preVerificationGas === operation.gas.preVerificationGas) return { fields: stub, gas };
  const withStub = { operation: { ...operation, gas }, paymasterAndData: packVendorFields(stub, operation) };
  const data = await askFields(request, vendor.client, 'pm_getPaymasterData', withStub, stub);
  if (typeof data === 'string') return data;
  if (size(data.paymasterData) > size(stub.paymasterData)) return 'its data is longer than its stub';
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = data;
  const signed = { ...gas, paymasterVerificationGasLimit, paymasterPostOpGasLimit };
  if (isAboveWorst(request, signed)) return 'its data makes the operation cost more than was set aside';
  return { fields: data, gas: signed };
}

function isAboveWorst({ operation, vendor }: Needed, gas: GasLimits): boolean {
  return entryPointOf(operation.entryPointVersion).requiredGas(gas) * operation.maxFeePerGas > vendor.worstCase;
}

/** Limits for the other paymaster. Data longer than the client estimated with costs more to publish. */
function gasWith(request: Needed, { paymasterData, ...limits }: VendorFields): GasLimits {
  const { operation, dataGas = 0n } = request;
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = limits;
  const estimated = estimatedBytes(request);
  const more = maxBigint(BigInt(size(paymasterData)) - estimated, 0n);
  const published = BigInt(size(operation.callData)) + estimated + 1n;
  const perByte = mostGasPerByte(gasScheduleOf(request.chain.client));
  const preVerificationGas = operation.gas.preVerificationGas + more * perByte + (more * dataGas) / published;
  return { ...operation.gas, preVerificationGas, paymasterVerificationGasLimit, paymasterPostOpGasLimit };
}

/** Bytes of paymaster data included in the limits: those of the client, else of our own stub. */
function estimatedBytes({ request, contract, operation, signedTerms }: Needed): bigint {
  const { entryPointVersion } = operation;
  const head = entryPointOf(entryPointVersion).paymasterHeadBytes;
  const { paymasterData = '0x', paymasterAndData = '0x' } = request.userOperation;
  const sent = Math.max((paymasterData.length - 2) / 2, (paymasterAndData.length - 2) / 2 - head, 0);
  if (sent > 0) return BigInt(Math.floor(sent));
  return BigInt(size(contract.family.stub(contract.location, operation, stubTerms(signedTerms))) - head);
}

function toAnswer(
  { operation, signedTerms }: Needed,
  { fields, gas, validUntil = signedTerms.validUntil }: Sponsored,
): UndecidedSignature {
  return {
    kind: 'signed',
    mode: 'SPONSORED',
    entryPointVersion: operation.entryPointVersion,
    paymaster: fields.paymaster,
    paymasterAndData: packVendorFields(fields, operation),
    paymasterData: fields.paymasterData,
    gas,
    validUntil,
  };
}

/** For an explanation, in which the answer is not used. */
function unasked({ contract, operation }: Needed): Sponsored {
  const none = { paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n, isFinal: true };
  return { fields: { paymaster: contract.location.address, paymasterData: '0x', ...none }, gas: operation.gas };
}

const gasNames = [
  ...(['callGasLimit', 'verificationGasLimit', 'preVerificationGas'] as const),
  ...(['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'] as const),
] as const;
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value));
const KeptSchema = z.object({
  paymaster: hex,
  paymasterData: hex,
  gas: z.array(z.string()).length(gasNames.length),
  validUntil: z.int(),
});

function writeKept({ fields: { paymaster, paymasterData }, gas }: Sponsored, validUntil: number): string {
  return JSON.stringify({ paymaster, paymasterData, gas: gasNames.map((name) => gas[name].toString()), validUntil });
}

function readKept(text: string, holdId: number): Sponsored {
  const {
    paymaster,
    paymasterData,
    gas: kept,
    validUntil,
  } = readJsonColumn(KeptSchema, text, { table: 'signed_terms', id: String(holdId) });
  const gas = Object.fromEntries(gasNames.map((name, index) => [name, BigInt(kept[index] ?? 0)])) as GasLimits;
  return { fields: { paymaster, paymasterData, ...gas, isFinal: true }, gas, validUntil };
}

/** Asks one question about an operation. Only the operation and the operator's context are sent. */
export async function askFields(
  { chain, contract }: MayAskVendor,
  vendor: Vendor,
  method: VendorMethod,
  asked: { readonly operation: UserOperationWithGas; readonly paymasterAndData: Hex },
  before?: VendorFields,
): Promise<VendorFields | string> {
  const { operation } = asked;
  const signature = operation.signature === '0x' ? dummySignature : operation.signature;
  const { chainId, eip7702Marker = 'as-sent' } = chain.config;
  const params = [
    toRpcOperation({ ...asked, operation: { ...operation, signature } }, eip7702Marker),
    contract.location.entryPoint,
    numberToHex(chainId),
    vendor.config.context,
  ];
  const read = (result: unknown) =>
    readVendorFields(result, {
      version: operation.entryPointVersion,
      config: vendor.config,
      prices: gasScheduleOf(chain.client),
      ...omitAbsent({ before }),
    });
  const answer = await vendor.ask(method, params, read);
  if (answer.kind === 'answered') return answer.value;
  if (answer.kind !== 'refused') return answer.cause;
  return `it refused${answer.code === undefined ? '' : ` with code ${answer.code}`}`;
}

/** `paymasterAndData` of another paymaster, in the form of the operation's EntryPoint. */
export function packVendorFields(
  { paymaster, paymasterData, ...gas }: VendorFields,
  { entryPointVersion }: Pick<UserOperation, 'entryPointVersion'>,
): Hex {
  if (!entryPointOf(entryPointVersion).isPacked) return concatHex([paymaster, paymasterData]);
  const limit = (value: bigint) => numberToHex(value, { size: 16 });
  const limits = [limit(gas.paymasterVerificationGasLimit), limit(gas.paymasterPostOpGasLimit)];
  return concatHex([paymaster, ...limits, paymasterData]);
}
