import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { Address } from 'viem';
import { expect, test } from 'vitest';
import { Secret } from '../../core/base/values/secret.ts';
import type { ExplorerConfig } from '../../core/domain/core-config.ts';
import { accept } from '../../core/domain/result/result.ts';
import { fetchContractAbi } from '../../core/management/contracts/fetch-contract-abi.ts';
import { accepted, newAccount, refusalOf, startManagement } from '../support/core/start-management.ts';
import { createRecordingLogger } from '../support/logging/recording-logger.ts';
import { json, listen } from '../support/servers/price-server.ts';
import { loopbackConfig } from '../support/servers/webhook-server.ts';

const proxy: Address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const implementation: Address = '0x43506849D7C04F9138D1A2050bbF3A0c054402dd';
const abi = [{ type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: [], outputs: [] }];
const apiKey = 'OPERATORS-KEY';

/** As Sourcify's API v2 answers with `fields=abi,proxyResolution`. */
const sourcifyAnswer = {
  match: 'exact_match',
  creationMatch: 'exact_match',
  runtimeMatch: 'exact_match',
  chainId: '1',
  address: proxy,
  verifiedAt: '2024-07-24T12:00:00Z',
  matchId: '3266227',
  abi,
  proxyResolution: { isProxy: false, proxyType: null, implementations: [] },
};
const behindProxy = {
  isProxy: true,
  proxyType: 'EIP1967Proxy',
  implementations: [{ address: implementation, name: 'Token' }],
};
const sourcifyNotFound = { match: null, creationMatch: null, runtimeMatch: null, chainId: '1', address: proxy };
/** As Etherscan's API v2 answers `action=getabi`. */
const etherscanAnswer = { status: '1', message: 'OK', result: JSON.stringify(abi) };
const notOk = (result: string) => ({ status: '0', message: 'NOTOK', result });

/** Asks an explorer that answers like this; `slot` is what the chain has for the implementation. */
async function ask(
  kind: ExplorerConfig['kind'],
  answer: RequestListener,
  { slot, rules = loopbackConfig }: { slot?: Address; rules?: typeof loopbackConfig } = {},
) {
  const asked: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    }),
  );
  const url = `http://127.0.0.1:${port}/server`;
  const { management, store, config } = await startManagement();
  const chains = config.chains.map((chain) => ({
    ...chain,
    explorer: kind === 'sourcify' ? { kind, url } : { kind, url, apiKey: new Secret(apiKey) },
  }));
  const [chain] = chains;
  if (chain === undefined) throw new Error('there is no chain');
  const accountId = await newAccount(management);
  const version = chain.paymasterContracts[0]?.version ?? '';
  const created = { accountId, name: 'shop', type: 'HYBRID', chainId: chain.chainId, version };
  const { paymasterId } = accepted(await management.createPaymaster(created));
  const { logger, lines } = createRecordingLogger();
  const fetchAbi = fetchContractAbi({
    store,
    chains,
    rules,
    implementationOf: async () => accept(slot),
    logger,
  });
  const result = await fetchAbi({ accountId, paymasterId, address: proxy.toLowerCase() });
  return { result, asked, logged: JSON.stringify(lines), chainId: chain.chainId };
}

test('Sourcify is asked for a contract, and for what a proxy runs by its own word', async () => {
  const plain = await ask('sourcify', json(JSON.stringify(sourcifyAnswer)));
  expect(accepted(plain.result)).toEqual({ address: proxy, abi: JSON.stringify(abi) });
  expect(plain.asked).toEqual([`/server/v2/contract/${plain.chainId}/${proxy}?fields=abi%2CproxyResolution`]);

  const behind = await ask('sourcify', (request, response) => {
    const isProxy = request.url?.includes(proxy) === true;
    const answer = isProxy ? { ...sourcifyAnswer, abi: [], proxyResolution: behindProxy } : sourcifyAnswer;
    json(JSON.stringify(answer))(request, response);
  });
  expect(accepted(behind.result)).toEqual({ address: proxy, abi: JSON.stringify(abi), implementation });
  expect(behind.asked.map((path) => path.includes(implementation))).toEqual([false, true]);
});

test('Etherscan is asked with the operator’s key, and for what a proxy runs by the chain', async () => {
  const { result, asked, chainId } = await ask('etherscan', json(JSON.stringify(etherscanAnswer)), {
    slot: implementation,
  });
  expect(accepted(result)).toEqual({ address: proxy, abi: JSON.stringify(abi), implementation });
  expect(asked.map((path) => Object.fromEntries(new URL(path, 'http://explorer').searchParams))).toEqual([
    { chainid: `${chainId}`, module: 'contract', action: 'getabi', address: implementation, apikey: apiKey },
  ]);
});

test.each([
  ['sourcify', json(JSON.stringify(sourcifyNotFound), 404)],
  ['etherscan', json(JSON.stringify(notOk('Contract source code not verified')))],
] as const)('what %s has not verified is refused, also behind a proxy', async (kind, answer) => {
  const end = 'is not verified at the explorer. Send the ABI itself';
  expect(refusalOf((await ask(kind, answer)).result)).toBe(`ABI_NOT_VERIFIED: The contract ${proxy} ${end}`);
  expect(refusalOf((await ask(kind, answer, { slot: implementation })).result)).toBe(
    `ABI_NOT_VERIFIED: The contract ${proxy} is a proxy of ${implementation}, which ${end}`,
  );
});

const lasting = JSON.stringify([...'a'.repeat(2_000_000)].join(''));
test.each<[string, ExplorerConfig['kind'], RequestListener, string]>([
  ['is broken', 'sourcify', json('{}', 500), 'answered 500'],
  ['is no explorer', 'sourcify', json('<html>', 404), 'answered 404'],
  ['answers no JSON', 'sourcify', json('<html>'), 'returned an invalid response'],
  ['answers a list', 'etherscan', json('[]'), 'returned an invalid response'],
  ['answers without an end', 'sourcify', json(lasting), 'answered more than 1114112 bytes'],
  ['nests', 'sourcify', json('['.repeat(500_000)), 'returned an invalid response'],
  ['redirects', 'sourcify', (_, response) => response.writeHead(302, { location: '/' }).end(), 'answered 302'],
  ['hangs up', 'sourcify', (request) => request.destroy(), 'closed the connection before it responded'],
  [
    'has an ABI that is none',
    'sourcify',
    json(JSON.stringify({ ...sourcifyAnswer, abi: [{ type: 'function' }] })),
    'has no usable ABI for this contract',
  ],
  ['is tired', 'etherscan', json(JSON.stringify(notOk('Max rate limit reached'))), 'was called too often'],
  [
    'repeats the key',
    'etherscan',
    json(JSON.stringify(notOk(`Invalid API Key: ${apiKey}`))),
    'does not accept the key of this service',
  ],
])('an explorer that %s is a stated refusal, which tells no key', async (_, kind, answer, problem) => {
  const { result, logged } = await ask(kind, answer);
  expect(refusalOf(result)).toBe(`EXPLORER_UNAVAILABLE: The explorer ${problem}`);
  expect(logged).toContain(problem);
  expect(logged).not.toContain(apiKey);
});

test.each([
  ['not public', { allowedRanges: [] }, 'could not be reached'],
  ['not https', { allowHttp: false }, 'is not reached over https'],
])('an explorer at an address that is %s is not asked, unless the operator allows it', async (_, change, problem) => {
  const rules = { ...loopbackConfig, ...change };
  const { result, asked } = await ask('sourcify', json(JSON.stringify(sourcifyAnswer)), { rules });
  expect(refusalOf(result)).toBe(`EXPLORER_UNAVAILABLE: The explorer ${problem}`);
  expect(asked).toEqual([]);
});
