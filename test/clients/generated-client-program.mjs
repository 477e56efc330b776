// A program of someone who has nothing of Tollfree but its OpenAPI document: types are generated from that into
// ./openapi-types.ts next to this file. Prints what it got as JSON.
import createClient from 'openapi-fetch';

/** @typedef {import('./openapi-types.ts').paths} Paths */

const [baseUrl = '', authToken = '', chainId = '', address = ''] = process.argv.slice(2);
/** @type {ReturnType<typeof createClient<Paths>>} */
const client = createClient({ baseUrl });

const created = await client.POST('/api/v2/public/sdk/paymaster', {
  params: { header: { authToken } },
  body: { name: 'generated', type: 'HYBRID', chainId: Number(chainId), version: '1.0.0' },
});
if (created.data === undefined) throw new Error(created.error.message);
const { apiKey } = created.data.data;
const header = { authToken, apiKey };

const registered = await client.POST('/api/v2/public/sdk/smart-contract', {
  params: { header },
  body: {
    name: 'walker',
    address,
    abi: JSON.stringify([{ type: 'function', name: 'move', inputs: [], outputs: [], stateMutability: 'nonpayable' }]),
    whitelistedMethods: ['move'],
  },
});
const paymasters = await client.GET('/api/v2/public/sdk/paymaster', { params: { header: { authToken } } });
const contracts = await client.GET('/api/v2/public/sdk/smart-contract', { params: { header } });

const webhook = await client.POST('/api/v2/public/sdk/webhook', {
  params: { header },
  body: { webhookUrl: 'http://127.0.0.1:1/ask', requestType: 'POST' },
});
if (webhook.data === undefined) throw new Error(webhook.error.message);
const { webhookId } = webhook.data.data;
const webhooks = await client.GET('/api/v2/public/sdk/webhook', { params: { header, query: { webhookId } } });

const refused = await client.POST('/api/v2/public/sdk/webhook', {
  params: { header },
  // @ts-expect-error The generated types know that there are two methods.
  body: { webhookUrl: 'http://127.0.0.1:1/ask', requestType: 'PUT' },
});

console.log(
  JSON.stringify({
    created: created.data,
    registered: registered.data,
    paymasters: paymasters.data?.data,
    contracts: contracts.data?.data.map(({ name, whitelistedMethods }) => ({ name, whitelistedMethods })),
    webhook: webhook.data,
    webhooks: webhooks.data?.data,
    refused: refused.error,
  }),
);
