import { type Address, type Hex, size } from 'viem';
import { z } from 'zod';
import type { DecidedCall, DecisionFacts, DecisionMethod } from '../domain/decision.ts';
import type { SponsorshipContext, SponsorshipRequest } from '../domain/sponsorship.ts';
import type { CallContent } from '../policies/call-rules/call-rules.ts';

/** The request of a decision: `entryPoint` is that of the methods that name one. */
export type DecidedRequest = Pick<SponsorshipRequest, 'chainId' | 'userOperation' | 'context'> & {
  readonly entryPoint?: string;
};

/** Replaces values that must not be stored. */
const redacted = '[redacted]';

const rpcMethods: Readonly<Record<DecisionMethod, string>> = {
  getFeeQuoteOrData: 'pm_getFeeQuoteOrData',
  sponsorUserOperation: 'pm_sponsorUserOperation',
  getPaymasterStubData: 'pm_getPaymasterStubData',
  getPaymasterData: 'pm_getPaymasterData',
  prepareRelay: 'tollfree_prepareRelay',
  relayUserOperation: 'tollfree_relayUserOperation',
};

/** Replaces a signature that is not checked before an operation is sent. */
const placeholder = { r: '0x1', s: '0x1', yParity: '0x0' } as const;

/** A request in a client's form. */
export type StoredRequest = { readonly method: string; readonly params: readonly unknown[] };

/**
 * What is stored of a request. Excludes reusable secrets: tickets, data for webhooks, the signatures of permits and
 * authorizations, and that of an operation without a paymaster.
 */
export function storedRequest(
  method: DecisionMethod,
  { userOperation, context, entryPoint, chainId }: DecidedRequest,
): StoredRequest {
  const { eip7702Auth, ...operation } = userOperation;
  const sent = {
    ...operation,
    ...(method === 'relayUserOperation' ? { signature: redacted } : {}),
    ...(eip7702Auth && { eip7702Auth: { ...eip7702Auth, ...placeholder } }),
  };
  const rest = entryPoint === undefined || entryPoint === '' ? [] : [entryPoint, `0x${chainId.toString(16)}`];
  return { method: rpcMethods[method], params: [sent, ...rest, contextOf(context)] };
}

/** The context in the clients' form. */
function contextOf({
  ticket,
  webhookDataJson,
  sponsorshipInfoGiven,
  smartAccountInfo,
  permit,
  keepsGivenLimits: _,
  ...context
}: SponsorshipContext): Readonly<Record<string, unknown>> {
  const info = {
    ...(webhookDataJson === undefined ? {} : { webhookData: { redacted: true } }),
    ...(smartAccountInfo && { smartAccountInfo }),
  };
  return {
    ...context,
    ...(sponsorshipInfoGiven || Object.keys(info).length > 0 ? { sponsorshipInfo: info } : {}),
    ...(ticket === undefined ? {} : { ticket: redacted }),
    ...(permit && { permit: { value: permit.value, deadline: permit.deadline } }),
  };
}

/** Frequent content of requests. Rows cannot be read without it, so it never changes. */
export const requestDictionary = Buffer.from(
  [
    '{"method":"tollfree_relayUserOperation","params":[{',
    '"tokenInfo":{"feeTokenAddress":"0x","tokenList":[],"preferredToken":"',
    '"eip7702Auth":{"address":"0x","chainId":"0x","nonce":"0x","r":"0x1","s":"0x1","yParity":"0x0"}',
    '"permit":{"value":"","deadline":""},"policyId":"","expiryDuration":',
    '"initCode":"0x","paymasterAndData":"0x","paymaster":"0x","paymasterData":"0x","paymasterVerificationGasLimit":"0x","paymasterPostOpGasLimit":"0x',
    '"factory":"0x","factoryData":"0x5fbfb9cf000000000000000000000000',
    '{"method":"pm_sponsorUserOperation","params":[{',
    '"mode":"ERC20","sponsorshipInfo":{"webhookData":{"redacted":true},"smartAccountInfo":{"name":"","version":"',
    '"ticket":"[redacted]"',
    'a9059cbb000000000000000000000000',
    '00000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000044',
    '{"method":"pm_getPaymasterStubData","params":[{',
    '{"method":"pm_getFeeQuoteOrData","params":[{',
    '{"method":"pm_getPaymasterData","params":[{"sender":"0x","nonce":"0x","callData":"0xb61d27f6000000000000000000000000',
    '","callGasLimit":"0x","verificationGasLimit":"0x","preVerificationGas":"0x","maxFeePerGas":"0x","maxPriorityFeePerGas":"0x',
    '","signature":"0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c',
    '"},"0x0000000071727De22E5E9d8BAf0edAc6f37da032","0x2105",{"calculateGasLimits":true,"mode":"SPONSORED"}]}',
  ].join(''),
);

/** A call as stored with a decision. */
export const DecidedCallSchema = z.object({
  target: z.custom<Address>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)),
  selector: z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{8}$/.test(value)).exactOptional(),
}) satisfies z.ZodType<DecidedCall>;

/** A call's content as stored with a decision. */
export const CallContentSchema = z.object({
  value: z.codec(z.string().regex(/^\d{1,78}$/), z.bigint(), { decode: BigInt, encode: String }),
  data: z.custom<Hex>((value) => typeof value === 'string' && /^0x([0-9a-f]{2})*$/.test(value)),
}) satisfies z.ZodType<CallContent>;

/** A decision's facts with its calls' contents, as far as stored: `contents` in the order of the calls. */
export function withContents<Facts extends Pick<DecisionFacts, 'calls'>>(
  facts: Facts,
  contents: readonly (CallContent | null)[] = [],
): Facts {
  return { ...facts, calls: facts.calls.map((call, index) => ({ ...call, ...contents[index] })) };
}

/** Most bytes of call data stored per decision: enough for most operations. */
const maxKeptBytes = 2_048;

/** The stored part of a decision's calls, in order: nothing of a call that exceeds the limit. */
export function keepContents(calls: readonly CallContent[]): readonly (CallContent | null)[] {
  let room = maxKeptBytes;
  return calls.map(({ value, data }) => {
    if (size(data) > room) return null;
    room -= size(data);
    return { value, data };
  });
}
