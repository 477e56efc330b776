import { managementErrors } from '@tollfree/contract/errors';
import type { SetFundingWalletRequest } from '@tollfree/contract/funding';
import { defaultPageSize } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementOperations, operationList } from '@tollfree/contract/operations';
import { PaymasterSchema } from '@tollfree/contract/paymaster';
import type { CreateAuthTokenRequest } from '@tollfree/contract/sign-in/auth-token';
import type { ExplainSponsorshipRequestSchema } from '@tollfree/contract/sponsorship';
import { ListWebhooksRequestSchema } from '@tollfree/contract/webhook';
import { z } from 'zod';
import type { Clock } from '../../core/base/time/clock.ts';
import type { Core } from '../../core/domain/core.ts';
import type { Paymaster, ServedChain } from '../../core/domain/paymaster.ts';
import { answer, errorResponse, refusalResponse, validationError } from './answer.ts';
import { ownedBy } from './caller.ts';
import { explainRequest } from './explain-request.ts';
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

/** The same core, with paymasters that include their contracts. */
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
