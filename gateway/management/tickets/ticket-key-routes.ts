import { omitAbsent } from '@tollfree/contract/omit-absent';
import { managementRouter } from '@tollfree/contract/router';
import { initServer } from '@ts-rest/express';
import type { Core } from '../../../core/domain/core.ts';
import type { TicketKey } from '../../../core/domain/tickets/ticket-key.ts';
import { answer, done, doneWith } from '../answer.ts';
import { callerOf } from '../caller.ts';

/** The keys that sign tickets. */
export function createTicketKeyRoutes(core: Core) {
  return initServer().router(managementRouter.ticketKey, {
    list: async ({ params: { paymasterId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.listTicketKeys({ accountId, paymasterId }), (keys) =>
        doneWith('Ticket key list fetched', keys.map(item)),
      );
    },
    create: async ({ params: { paymasterId }, body: { publicKey, ...fields }, req }) => {
      const { accountId } = callerOf(req);
      const publicKeyJson = publicKey === undefined ? undefined : JSON.stringify(publicKey);
      const input = { accountId, paymasterId, name: fields.name, kind: fields.kind };
      const { jwksUrl, issuer, audience } = fields;
      return answer(
        await core.createTicketKey({ ...input, ...omitAbsent({ publicKeyJson, jwksUrl, issuer, audience }) }),
        ({ record, secretJson }) =>
          doneWith('Ticket key created', { ...item(record), ...omitAbsent({ secret: readKey(secretJson) }) }),
      );
    },
    delete: async ({ params: { paymasterId }, body: { ticketKeyId }, req }) => {
      const { accountId } = callerOf(req);
      return answer(await core.deleteTicketKey({ accountId, paymasterId, ticketKeyId }), () =>
        done('Ticket key deleted'),
      );
    },
  });
}

function item({ publicKeyJson, algorithms, ...key }: TicketKey) {
  return { ...key, algorithms: [...algorithms], ...omitAbsent({ publicKey: readKey(publicKeyJson) }) };
}

/** The core gives JSON objects only. */
function readKey(json: string | undefined): Record<string, unknown> | undefined {
  return json === undefined ? undefined : JSON.parse(json);
}
