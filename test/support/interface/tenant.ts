import { expect } from 'vitest';
import type { RunningService } from '../service/running-service.ts';
import { type HttpAnswer, type HttpRequest, sendHttp } from './send-http.ts';

export const managementPrefix = '/api/v2/public/sdk';

/** An account with one paymaster, and both credentials as headers. */
export type Tenant = {
  readonly accountId: string;
  readonly authToken: string;
  readonly apiKey: string;
  readonly paymasterId: string;
  readonly name: string;
  readonly headers: { readonly authToken: string; readonly apiKey: string };
};

/** One request to the management interface; `path` is below its prefix. */
export function callManagement(
  service: RunningService,
  method: string,
  path: string,
  request: Omit<HttpRequest, 'method'>,
): Promise<HttpAnswer> {
  return sendHttp(`${service.url}${managementPrefix}${path}`, { ...request, method });
}

/** The `data` of an answer that must be a success. */
export function dataOf(answer: HttpAnswer): unknown {
  expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ statusCode: 200 })]);
  return (answer.json as { data?: unknown }).data;
}

let paymasterNumber = 0;

/** Adds a paymaster to an account through the interface. */
export async function newPaymaster(
  service: RunningService,
  authToken: string,
  fields: { readonly name?: string; readonly version?: string } = {},
): Promise<{ readonly name: string; readonly apiKey: string; readonly paymasterId: string }> {
  paymasterNumber += 1;
  const json = {
    name: `shop ${paymasterNumber}`,
    type: 'HYBRID',
    chainId: service.devnet.chainId,
    version: '2.0.0',
    ...fields,
  };
  const answer = await callManagement(service, 'POST', '/paymaster', { headers: { authToken }, json });
  return dataOf(answer) as { name: string; apiKey: string; paymasterId: string };
}

/** A new account with one paymaster, without contracts, webhooks or a funding wallet. */
export async function newTenant(service: RunningService, fields: { version?: string } = {}): Promise<Tenant> {
  const { accountId, authToken } = await service.issueAccount();
  const { name, apiKey, paymasterId } = await newPaymaster(service, authToken, fields);
  return { accountId, authToken, apiKey, paymasterId, name, headers: { authToken, apiKey } };
}

/** Everything the interface lists about a tenant, to see whether a call has changed anything. */
export async function listEverything(service: RunningService, tenant: Tenant): Promise<unknown> {
  const { headers, authToken, accountId, paymasterId } = tenant;
  const [paymasters, contracts] = await Promise.all([
    callManagement(service, 'GET', '/paymaster', { headers: { authToken } }),
    callManagement(service, 'GET', '/smart-contract', { headers }),
  ]);
  const webhooks = await service.core.listWebhooks({ accountId, paymasterId });
  return { paymasters: dataOf(paymasters), contracts: dataOf(contracts), webhooks };
}
