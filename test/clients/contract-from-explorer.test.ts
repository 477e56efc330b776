import { createServer } from 'node:http';
import { parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { implementationSlot } from '../../core/evm/account-codes/find-in-catalogue.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { newTenant } from '../support/interface/tenant.ts';
import { listen } from '../support/servers/price-server.ts';
import { startService } from '../support/service/running-service.ts';

const contract = '0x00000000000000000000000000000000000000C1';
const implementation = '0x00000000000000000000000000000000000000c2';

test('a proxy is registered with the ABI that an explorer has of what the chain says it runs', async () => {
  const abi = parseAbi(['function mint()', 'function burn()']);
  const port = await listen(
    createServer((request, response) => {
      const isVerified = request.url?.toLowerCase().includes(implementation) === true;
      response.writeHead(isVerified ? 200 : 404).end(JSON.stringify(isVerified ? { match: 'match', abi } : {}));
    }),
  );
  const service = await startService({
    configure: (config) => ({
      ...config,
      chains: config.chains.map((chain) => ({
        ...chain,
        explorer: { kind: 'sourcify', url: `http://127.0.0.1:${port}` },
      })),
    }),
  });
  try {
    await service.devnet.client.request({
      // Of the development node alone, and so not among viem's.
      method: 'anvil_setStorageAt' as 'eth_chainId',
      params: [contract, implementationSlot, `0x${implementation.slice(2).padStart(64, '0')}`] as never,
    });
    const tenant = await newTenant(service);
    const env = { TOLLFREE_URL: service.url, TOLLFREE_AUTH_TOKEN: tenant.authToken, TOLLFREE_API_KEY: tenant.apiKey };
    const args = ['contract', 'register', 'token', '--address', contract, '--from-explorer', '--whitelist', 'mint'];
    const registered = await runInPlace(args, { env });
    expect(registered).toMatchObject({ code: 0, stderr: expect.stringContaining('a proxy') });
    const client = service.managementOf(tenant.authToken);
    expect(await client.listSmartContracts({ apiKey: tenant.apiKey })).toMatchObject([
      { name: 'token', address: contract, methods: ['mint', 'burn'], whitelistedMethods: ['mint'] },
    ]);
    const unknown = client.fetchContractAbi({ apiKey: tenant.apiKey, address: implementation.replace('c2', 'c3') });
    await expect(unknown).rejects.toMatchObject({ status: 404, message: expect.stringContaining('not verified') });
  } finally {
    await service.close();
  }
});
