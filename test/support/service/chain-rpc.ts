import type { Hex } from 'viem';
import { z } from 'zod';
import { rpcBody } from '../../../server/dev/rpc-call.ts';

/** One answer of the RPC endpoint as it came over HTTP. `reason` is `error.data.reason`. */
export type RpcAnswer = {
  readonly httpStatus: number;
  readonly result: unknown;
  readonly code: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** Seconds to wait, of a refusal that says so. */
  readonly retryAfter?: string | undefined;
};

const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z
    .object({ code: z.number(), message: z.string(), data: z.object({ reason: z.string().optional() }).optional() })
    .optional(),
});

/** Asks the RPC endpoint; from the client address that a trusted proxy tells, where one is given. Refusals are answers too. */
export async function askRpc(
  url: string,
  method: string,
  params: readonly unknown[],
  client?: string,
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(client === undefined ? {} : { 'x-forwarded-for': client }) },
    body: rpcBody(method, params),
  });
  const { result, error } = answerSchema.parse(await response.json());
  return {
    httpStatus: response.status,
    result,
    code: error?.code,
    reason: error?.data?.reason,
    message: error?.message,
    retryAfter: response.headers.get('retry-after') ?? undefined,
  };
}

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value));
const gas = z.union([z.string().regex(/^(\d+|0x[0-9a-f]+)$/), z.int()]).transform((value) => BigInt(value));

const signedSchema = z.object({
  MODE: z.enum(['SPONSORED', 'ERC20']),
  paymasterAndData: hex,
  preVerificationGas: gas,
  verificationGasLimit: gas,
  callGasLimit: gas,
  paymasterVerificationGasLimit: gas.default(0n),
  paymasterPostOpGasLimit: gas.default(0n),
  validUntil: z.int(),
});

/** Signed paymaster data as the interface answers it, gas limits as numbers (0 where the EntryPoint has none). */
export type SignedAnswer = z.output<typeof signedSchema>;

/** The answer's signed paymaster data; throws with the refusal when it is none. */
export function signedAnswer(answer: RpcAnswer): SignedAnswer {
  if (answer.code !== undefined) throw new Error(`refused (${answer.reason}): ${answer.message}`);
  return signedSchema.parse(answer.result);
}

const quotesSchema = z.object({
  MODE: z.literal('ERC20'),
  paymasterAddress: hex,
  unsupportedTokens: z.array(z.string()),
  feeQuotes: z.array(
    z.object({
      symbol: z.string(),
      decimal: z.int(),
      tokenAddress: hex,
      maxGasFee: z.number(),
      exchangeRate: z.number(),
      premiumPercentage: z.string(),
      validUntil: z.int(),
      userPaysPercent: z.int().exactOptional(),
    }),
  ),
});

export type QuotesAnswer = z.output<typeof quotesSchema>;

/** The answer's token quotes; throws with the refusal when it has none. */
export function quotesAnswer(answer: RpcAnswer): QuotesAnswer {
  if (answer.code !== undefined) throw new Error(`refused (${answer.reason}): ${answer.message}`);
  return quotesSchema.parse(answer.result);
}
