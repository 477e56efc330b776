import { omitAbsent } from '@tollfree/contract/omit-absent';
import { pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import { pmGetPaymasterData, pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { pmSponsorUserOperation } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import type { ExplainSponsorshipRequestSchema, explainableMethods } from '@tollfree/contract/sponsorship';
import type { z } from 'zod';
import type { Owned } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { paramsRefusal } from '../rpc/params-refusal.ts';
import { paymasterDataRequest } from '../rpc/paymaster-data-request.ts';
import { rawUserOperation, sponsorshipContext } from '../rpc/sponsorship-request.ts';

type ExplainInput = Parameters<Core['explainSponsorship']>[0];
type Request = Omit<ExplainInput, keyof Owned | 'askWebhooks' | 'apiKeyId' | 'origin' | 'address'>;

/** Parses a method's params like the RPC endpoint. `chainId` is only read for methods that name a chain. */
type ReadParams = (params: readonly unknown[], chainId: () => Promise<number>) => Promise<Result<Request>>;

function readWith<Params>(
  { params: schema, paramCount }: { params: z.ZodType<Params>; paramCount: number },
  read: (params: Params, chainId: () => Promise<number>) => Promise<Result<Request>>,
): ReadParams {
  return async (sent, chainId) => {
    const parsed = schema.safeParse(sent.slice(0, paramCount));
    return parsed.success ? read(parsed.data, chainId) : { ok: false, refusal: paramsRefusal(parsed.error.issues) };
  };
}

function readByContext(method: 'getFeeQuoteOrData' | 'sponsorUserOperation', schema: ByContextSchema): ReadParams {
  return readWith({ params: schema, paramCount: 2 }, async ([userOperation, context]) => ({
    ok: true,
    value: { method, userOperation: rawUserOperation(userOperation), context: sponsorshipContext(context) },
  }));
}
type ByContextSchema = z.ZodType<z.infer<typeof pmGetFeeQuoteOrData.params>>;

function readByEntryPoint(method: 'getPaymasterStubData' | 'getPaymasterData'): ReadParams {
  const { params } = method === 'getPaymasterData' ? pmGetPaymasterData : pmGetPaymasterStubData;
  return readWith({ params, paramCount: 4 }, async (sent, chainId) => {
    const request = paymasterDataRequest(sent, { chainId: await chainId(), apiKey: '' });
    if (!request.ok) return request;
    const { userOperation, context, entryPoint } = request.value;
    return { ok: true, value: { method, userOperation, context, entryPoint } };
  });
}

const readers: Readonly<Record<(typeof explainableMethods)[number], ReadParams>> = {
  [pmGetFeeQuoteOrData.method]: readByContext('getFeeQuoteOrData', pmGetFeeQuoteOrData.params),
  [pmSponsorUserOperation.method]: readByContext('sponsorUserOperation', pmSponsorUserOperation.params),
  [pmGetPaymasterStubData.method]: readByEntryPoint('getPaymasterStubData'),
  [pmGetPaymasterData.method]: readByEntryPoint('getPaymasterData'),
};

/** The request to explain in the core's form, or the RPC endpoint's refusal of these params. */
export async function explainRequest(
  core: Core,
  owned: Owned,
  body: z.infer<typeof ExplainSponsorshipRequestSchema>,
): Promise<Result<ExplainInput>> {
  const { params, method = pmGetFeeQuoteOrData.method, askWebhooks = false, apiKeyId, origin, address } = body;
  const request = await readers[method](params, () => readChainId(core, owned));
  const from = omitAbsent({ apiKeyId, origin, address });
  return request.ok ? { ok: true, value: { ...owned, ...request.value, askWebhooks, ...from } } : request;
}

/** The paymaster's chain, which an RPC endpoint address would contain. */
async function readChainId(core: Core, { accountId, paymasterId }: Owned): Promise<number> {
  const paymasters = await core.listPaymasters({ accountId });
  const own = paymasters.ok ? paymasters.value.find((paymaster) => paymaster.paymasterId === paymasterId) : undefined;
  // It existed at authentication, and paymasters are not deleted.
  if (own === undefined) throw new Error('the paymaster of an accepted apiKey is not listed');
  return own.chainId;
}
