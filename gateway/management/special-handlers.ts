import { managementErrors } from '@tollfree/contract/errors';
import type { SetFundingWalletRequest } from '@tollfree/contract/funding';
import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementOperations, operationList } from '@tollfree/contract/operations';
import { PaymasterSchema } from '@tollfree/contract/paymaster';
import { pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import { pmGetPaymasterData, pmGetPaymasterStubData } from '@tollfree/contract/rpc/pm-get-paymaster-data';
import { pmSponsorUserOperation } from '@tollfree/contract/rpc/pm-sponsor-user-operation';
import type { CreateAuthTokenRequest } from '@tollfree/contract/sign-in/auth-token';
import type { ExplainSponsorshipRequestSchema, explainableMethods } from '@tollfree/contract/sponsorship';
import { ListWebhooksRequestSchema } from '@tollfree/contract/webhook';
import { z } from 'zod';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Owned } from '../../core/domain/access/actor.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Paymaster, ServedChain } from '../../core/domain/paymaster.ts';
import type { Result } from '../../core/domain/result/result.ts';
import { paymasterDataRequest } from '../rpc/paymaster-data-request.ts';
import { paramsRefusal } from '../rpc/rpc-response.ts';
import { rawUserOperation, sponsorshipContext } from '../rpc/sponsorship-request.ts';
import { answer, errorResponse, refusalResponse, validationError } from './answer.ts';
import { ownedBy } from './caller.ts';
import { handleOperation, successOf } from './handle-operation.ts';
import type { Handler, RestCall } from './rest.ts';

const { funding, gasTank, webhook, authToken, sponsorship } = managementOperations;

/** Handlers, by operation name, for operations that do more than their description. */
export type Handlers = Readonly<Record<string, Handler>>;

export function specialHandlers(core: Core, clock: Clock): Handlers {
  return { ...paymasterHandlers(core), ...fundingHandlers(core), ...otherHandlers(core, clock) };
}

/** The operations that answer a paymaster, or a list of them. */
const ofPaymasters = operationList.filter(
  ({ data }) => data === PaymasterSchema || (data instanceof z.ZodArray && data.element === PaymasterSchema),
);

/** Answers show a paymaster with the contract of its version, if still configured. */
function paymasterHandlers(core: Core): Handlers {
  return Object.fromEntries(
    ofPaymasters.map((operation) => [operation.name, handleOperation(withContracts(core), operation)]),
  );
}

/** A core whose paymasters include their contracts. */
function withContracts(core: Core): Core {
  const showing = (name: string) => async (input: never) => {
    const served = await readServed(core);
    // Its schema in the contract says what it answers.
    const perform = core[name as 'createPaymaster' | 'listPaymasters'];
    const result = await perform(input);
    if (!result.ok) return result;
    const { value } = result;
    const show = (one: Paymaster) => withContract(one, served);
    return { ok: true as const, value: 'paymasterId' in value ? show(value) : value.map(show) };
  };
  return { ...core, ...Object.fromEntries(ofPaymasters.map(({ name }) => [name, showing(name)])) };
}

function withContract(one: Paymaster, chains: readonly ServedChain[]): Paymaster {
  const chain = chains.find(({ chainId }) => chainId === one.chainId);
  const contract = chain?.contracts.find(({ version }) => version === one.version);
  return { ...one, ...omitAbsent({ contract }) };
}

async function readServed(core: Core): Promise<readonly ServedChain[]> {
  const result = await core.listChains();
  return result.ok ? result.value : [];
}

/** Interface 4.4. The paymasterId must be that of the apiKey; any other is not found, whoever owns it. */
function fundingHandlers(core: Core): Handlers {
  const ofApiKey =
    (paymasterIdOf: (call: RestCall) => unknown, handle: Handler): Handler =>
    async (call) =>
      paymasterIdOf(call) === ownedBy(call.request).paymasterId
        ? handle(call)
        : errorResponse(managementErrors.paymasterNotFound);
  const setWallet = handleOperation(withContracts(core), funding.setWallet);
  return {
    [funding.createMessage.name]: ofApiKey(
      ({ params }) => params.paymasterId,
      handleOperation(core, funding.createMessage),
    ),
    [funding.setWallet.name]: ofApiKey(({ body }) => (body as SetFundingWalletRequest).paymasterId, setWallet),
  };
}

function otherHandlers(core: Core, clock: Clock): Handlers {
  const secondsPerDay = 86_400;
  const createAuthToken = handleOperation(core, authToken.create);
  const listWebhooks = handleOperation(core, webhook.list);
  return {
    [authToken.create.name]: (call) => {
      const { expiresInDays, ...body } = call.body as CreateAuthTokenRequest;
      if (expiresInDays === undefined) return createAuthToken({ ...call, body });
      const expiresAt = Math.floor(clock.now() / 1_000) + expiresInDays * secondsPerDay;
      return createAuthToken({ ...call, body: { ...body, expiresAt } });
    },
    [webhook.list.name]: async (call) => {
      const { body } = call.request;
      const checked = body === undefined ? undefined : ListWebhooksRequestSchema.safeParse(body);
      return checked?.error ? validationError(checked.error.issues) : listWebhooks(call);
    },
    // The core lists entries by number. One more than requested shows whether there is another page.
    [gasTank.listEntries.name]: async ({ query: { cursor, limit = defaultPageSize }, request }) => {
      const size = limit as number;
      const before = cursor === undefined ? {} : { beforeEntryId: Number(cursor) };
      return answer(await core.listGasTankEntries({ ...ownedBy(request), ...before, limit: size + 1 }), (found) => {
        const entries = found.slice(0, size);
        const last = entries.at(-1);
        const hasMore = found.length > size && last !== undefined;
        return successOf(gasTank.listEntries, { entries, ...(hasMore ? { nextCursor: String(last.entryId) } : {}) });
      });
    },
    [sponsorship.explain.name]: async ({ body, request }) => {
      const asked = await explainRequest(
        core,
        ownedBy(request),
        body as z.output<typeof ExplainSponsorshipRequestSchema>,
      );
      if (!asked.ok) return refusalResponse(asked.refusal);
      return answer(await core.explainSponsorship(asked.value), (explained) =>
        successOf(sponsorship.explain, explained),
      );
    },
  };
}

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
async function explainRequest(
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
