/** A program in plain JavaScript: what the package gives, and that it works without viem's being told of. */
export const plainProgram = `
import { createCapabilities, createManagementClient, createPaymaster, createSponsorClient } from '@tollfree/sdk';
import { createManagementClient as createSameClient } from '@tollfree/sdk/management';

const url = process.argv[2];
const refusal = await createManagementClient({ baseUrl: url, authToken: 'tf_nobody' }).listPaymasters().catch((error) => error);
const same = await createSameClient({ baseUrl: url, authToken: 'tf_nobody' }).listPaymasters().catch((error) => error);
const sponsor = createSponsorClient({ url: url + '/api/v2/1/key' });
console.log(JSON.stringify({
  refused: [refusal.name, refusal.status],
  same: [same.name, same.status],
  paymaster: Object.keys(createPaymaster(sponsor)),
  capabilities: createCapabilities({ url }),
}));
`;

/** A program whose types are looked at: lines that must not compile are marked, so nothing in it may be \`any\`. */
export const typedProgram = `
import { createPaymaster, createSponsorClient, createManagementClient, SponsorshipRefusedError } from '@tollfree/sdk';
import { http, createPublicClient } from 'viem';
import { createBundlerClient } from 'viem/account-abstraction';
import { mainnet } from 'viem/chains';

const client = createPublicClient({ chain: mainnet, transport: http() });
const sponsor = createSponsorClient({ url: 'https://gas.example/api/v2/1/key' });
createBundlerClient({ client, transport: http(), paymaster: createPaymaster(sponsor) });
const management = createManagementClient({ baseUrl: 'https://gas.example', authToken: 'tf_x' });
export const ids: Promise<string[]> = management.listPaymasters().then((all) => all.map(({ paymasterId }) => paymasterId));
export const gas: Promise<string | number | undefined> = management.readPolicy({ apiKey: 'key' }).then((policy) => policy.maxGasPerOperation);
export const reason = (error: SponsorshipRefusedError): string | undefined => error.reason;
// @ts-expect-error: a token is text.
createPaymaster(sponsor, { paymasterContext: { token: 1 } });
// @ts-expect-error: a paymaster has no such field.
management.listPaymasters().then(([first]) => first?.price);
// @ts-expect-error: a webhook needs its URL.
management.createWebhook({ apiKey: 'key', requestType: 'POST' });
`;

/** What a page uses that sends operations: everything but the management interface, whose token has no place there. */
export const pageProgram = `
import { createCapabilities, createPaymaster, createSponsorClient, prepareTokenPayment } from '@tollfree/sdk';
globalThis.tollfree = { createCapabilities, createPaymaster, createSponsorClient, prepareTokenPayment };
`;
