import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { Paymaster, ServedChain } from '../../core/domain/paymaster.ts';
import { answer, done, doneWith } from './answer.ts';
import { callerOf } from './caller.ts';
import { apiKeyItem, readKeyRules } from './json/api-key-json.ts';

/** A paymaster as the interface shows it, with the contract of its version where that is still configured. */
export function paymasterItem(paymaster: Paymaster, chains: readonly ServedChain[]): PaymasterItem {
  const { name, chainId, apiKey, paymasterId, version, pausedAt, retiredAt } = paymaster;
  const own = { name, chainId, apiKey, paymasterId, version, ...omitAbsent({ pausedAt, retiredAt }) };
  const chain = chains.find((each) => each.chainId === chainId);
  const served = chain?.contracts.find((each) => each.version === version);
  if (served === undefined) return own;
  const { version: _, ...contract } = served;
  return { ...own, contract };
}

/** What the service serves, for {@link paymasterItem}. */
export async function readServed(core: Core): Promise<readonly ServedChain[]> {
  const result = await core.listChains();
  return result.ok ? result.value : [];
}

/** Interface 4.2, apiKeys, and what paymasters can be registered for. */
export function createPaymasterRoutes(core: Core) {
  return initServer().router(managementRouter.paymaster, {
    list: async ({ req }) => {
      const served = await readServed(core);
      return answer(await core.listPaymasters({ accountId: callerOf(req).accountId }), (paymasters) =>
        doneWith(
          'DApp list fetched',
          paymasters.map((paymaster) => paymasterItem(paymaster, served)),
        ),
      );
    },
    create: async ({ body, req }) => {
      const served = await readServed(core);
      return answer(await core.createPaymaster({ accountId: callerOf(req).accountId, ...body }), (paymaster) =>
        doneWith('DApp registered successfully', paymasterItem(paymaster, served)),
      );
    },
    update: async ({ params: { paymasterId }, body: { name, paused }, req }) => {
      const { accountId } = callerOf(req);
      const served = await readServed(core);
      const update = { accountId, paymasterId, ...omitAbsent({ name, paused }) };
      return answer(await core.updatePaymaster(update), (paymaster) =>
        doneWith('Paymaster changed', paymasterItem(paymaster, served)),
      );
    },
    retire: async ({ params: { paymasterId }, body: { name }, req }) => {
      const { accountId } = callerOf(req);
      const served = await readServed(core);
      return answer(await core.retirePaymaster({ accountId, paymasterId, name }), (paymaster) =>
        doneWith('Paymaster retired', paymasterItem(paymaster, served)),
      );
    },
    listChains: async () =>
      answer(await core.listChains(), (served) =>
        doneWith(
          'Chain list fetched',
          served.map((chain) => ({ ...chain, contracts: [...chain.contracts] })),
        ),
      ),
    listApiKeys: async ({ params: { paymasterId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.listApiKeys({ accountId, paymasterId }), (keys) =>
        doneWith('API key list fetched', keys.map(apiKeyItem)),
      );
    },
    createApiKey: async ({ params: { paymasterId }, body: { name, rules }, req }) => {
      const { accountId } = callerOf(req);
      const wish = { accountId, paymasterId, name, ...omitAbsent({ rules: rules && readKeyRules(rules) }) };
      return answer(await core.createApiKey(wish), ({ apiKey, record }) =>
        doneWith('API key created', { ...apiKeyItem(record), apiKey }),
      );
    },
    updateApiKey: async ({ params: { paymasterId }, body: { apiKeyId, name, disabled, rules }, req }) => {
      const { accountId } = callerOf(req);
      const changes = omitAbsent({ name, disabled, rules: rules && readKeyRules(rules) });
      return answer(await core.updateApiKey({ accountId, paymasterId, apiKeyId, ...changes }), (record) =>
        doneWith('API key updated', apiKeyItem(record)),
      );
    },
    rotateApiKey: async ({ params: { paymasterId }, body: { graceSeconds, apiKeyId }, req }) => {
      const { accountId } = callerOf(req);
      const rotation = { accountId, paymasterId, graceSeconds, ...omitAbsent({ apiKeyId }) };
      return answer(await core.rotateApiKey(rotation), ({ apiKey, record }) =>
        doneWith('API key replaced', { ...apiKeyItem(record), apiKey }),
      );
    },
    endApiKey: async ({ params: { paymasterId }, body: { apiKeyId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.endApiKey({ accountId, paymasterId, apiKeyId }), () => done('API key ended'));
    },
  });
}
