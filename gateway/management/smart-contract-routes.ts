import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { type SmartContractItem, SmartContractSchema } from '@tollfree/contract/smart-contract';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../core/domain/core.ts';
import type { SmartContract } from '../../core/domain/smart-contract.ts';
import { answer, done, doneWith } from './answer.ts';
import { ownedBy } from './caller.ts';
import { sendList } from './send-list.ts';

function item({ name, address, abi, whitelistedMethods, methods }: SmartContract): SmartContractItem {
  return { name, address, abi, whitelistedMethods: [...whitelistedMethods], methods: [...methods] };
}

function told<const Message extends string>(message: Message, brokenRules: SmartContract['brokenRules']) {
  return brokenRules === undefined ? done(message) : doneWith(message, { brokenRules: [...brokenRules] });
}

/** Interface 4.3. */
export function createSmartContractRoutes(core: Core) {
  return initServer().router(managementRouter.smartContract, {
    register: async ({ body: { whitelistedMethods, ...fields }, req }) =>
      answer(
        await core.registerContract({
          ...ownedBy(req),
          ...fields,
          ...(whitelistedMethods && { whitelistedMethods }),
        }),
        ({ brokenRules }) => told('Smart contract registered successfully', brokenRules),
      ),
    list: async ({ req, res }) => {
      const readPage = async (cursor?: string) => {
        const page = await core.listContracts({ ...ownedBy(req), ...omitAbsent({ cursor }) });
        if (!page.ok) return page;
        const { contracts: values, nextCursor } = page.value;
        return { ok: true as const, value: { values, nextCursor } };
      };
      return sendList(res, readPage, { message: 'Smart contract list fetched', schema: SmartContractSchema, item });
    },
    fetchAbi: async ({ params: { address }, req }) =>
      answer(await core.fetchContractAbi({ ...ownedBy(req), address }), (fetched) => doneWith('ABI fetched', fetched)),
    update: async ({ body, req }) =>
      answer(await core.updateContract({ ...ownedBy(req), ...body }), (contract) =>
        doneWith('Smart contract updated', item(contract)),
      ),
    delete: async ({ body, req }) =>
      answer(await core.deleteContract({ ...ownedBy(req), ...body }), ({ brokenRules }) =>
        told('Smart contract deleted', brokenRules),
      ),
  });
}
